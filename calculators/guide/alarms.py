"""Alarms: how many come by chance from many series that are looked at often."""

from math import erfc, sqrt

from calculators.declare import step

DAY = 86400.0


@step("share", "Chance of a healthy value beyond the threshold", falls_with=("threshold_sigmas",))
def chance_beyond(threshold_sigmas: float) -> float:
    """The chance that a healthy value lies so many standard deviations from its mean, on either side, were it normal.

    >>> round(chance_beyond(3), 4), round(chance_beyond(2), 4)
    (0.0027, 0.0455)
    """
    return erfc(threshold_sigmas / sqrt(2))


@step("1", "False alarms a day", rises_with=("series",), falls_with=("look_every", "in_a_row"))
def false_alarms(series: float, look_every: float, chance_beyond: float, in_a_row: float) -> float:
    """False alarms a day from so many `series`, checked every `look_every` [s].

    An alarm takes `in_a_row` values beyond the threshold, one after the other, taken for independent: real series
    drift and cluster, so this is the least.

    >>> round(false_alarms(1000, 60, 0.0027, 1)), round(false_alarms(1000, 7, 0.0027, 3), 4)
    (3888, 0.2429)
    """
    alarms: float = series * DAY / look_every * chance_beyond**in_a_row
    return alarms
