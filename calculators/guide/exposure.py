"""Exposure: how often a store would lose data if drives failed independently, from its drives, code and rebuild."""

from math import exp, factorial

from calculators.declare import step
from calculators.subjects.storage.storage_demand.drives import rebuild_time, spare_rebuild_time
from calculators.units import YEAR

__all__ = [
    "failures_in_rebuild",
    "losing_rebuilds",
    "rebuild_time",
    "rebuilds_per_year",
    "server_rebuild_time",
    "spare_rebuild_time",
    "time_between_losses",
]

_TERMS = 20  # terms of a series that converges far sooner


@step("s", "Rebuild of a lost server", rises_with=("drives_per_node",), falls_with=("rebuild_share",))
def server_rebuild_time(
    drive_capacity: float,
    fill_share: float,
    data_fragments: float,
    rebuild_share: float,
    drives: float,
    drives_per_node: float,
    drive_read: float,
    drive_write: float,
) -> float:
    """Time to rebuild the data of a server [s]: all of its drives, onto those of the others.

    As for one drive: `data_fragments` are read and one is written for each lost. Networks are assumed to carry it.

    >>> round(server_rebuild_time(122.88e12, 0.8, 8, 0.25, 120, 24, 7.4e9, 3.2e9) / 3600, 1)
    76.8
    """
    work = drives_per_node * drive_capacity * fill_share * (data_fragments + 1)
    return work / (rebuild_share * (drives - drives_per_node) * min(drive_read, drive_write))


@step("1", "Rebuilds in a year", rises_with=("drives", "drive_failure_rate"))
def rebuilds_per_year(drives: float, drive_failure_rate: float) -> float:
    """Drives lost in a year out of `drives`, each starting a rebuild; `drive_failure_rate` is the annual share.

    >>> rebuilds_per_year(800, 0.01)
    8.0
    """
    return drives * drive_failure_rate


@step("1", "Other drives lost during one rebuild", rises_with=("drive_failure_rate", "rebuild_time"))
def failures_in_rebuild(drives: float, drive_failure_rate: float, rebuild_time: float) -> float:
    """Expected failures among the other `drives` within `rebuild_time` [s]: far below one.

    >>> round(failures_in_rebuild(101, 0.01, YEAR / 1000), 6)
    0.001
    """
    return (drives - 1) * drive_failure_rate * rebuild_time / YEAR


@step("share", "Rebuilds that meet as many failures as there is parity", falls_with=("parity_fragments",))
def losing_rebuilds(failures_in_rebuild: float, parity_fragments: float) -> float:
    """The share of rebuilds within which `parity_fragments` more drives fail, counts following Poisson.

    Where stripes lie over all drives, such a set of drives nearly always holds more pieces of some stripe than the
    code can miss. Holds for independent failures alone.

    >>> round(losing_rebuilds(0.001, 1), 9), round(losing_rebuilds(0.001, 2), 9)
    (0.0009995, 5e-07)
    """
    least = int(parity_fragments)
    terms = (failures_in_rebuild**count / factorial(count) for count in range(least, least + _TERMS))
    return exp(-failures_in_rebuild) * sum(terms)


@step("s", "Between losses, were failures independent", falls_with=("rebuilds_per_year",))
def time_between_losses(rebuilds_per_year: float, losing_rebuilds: float) -> float:
    """The mean time between two losses of data [s].

    >>> round(time_between_losses(8, 0.001) / YEAR, 6)
    125.0
    """
    return YEAR / (rebuilds_per_year * losing_rebuilds)
