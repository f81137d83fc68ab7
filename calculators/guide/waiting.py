"""Waiting in a queue: how it grows with the share of time used, with the spread of lengths, and during a ramp."""

from calculators.declare import step


@step("1", "Wait, in mean lengths of a job", rises_with=("used_share", "length_spread"))
def wait_in_lengths(used_share: float, length_spread: float) -> float:
    """The mean wait in a queue in front of one server, as a multiple of the mean length of what waits.

    `used_share` of the server's time is taken; `length_spread` is the standard deviation of the lengths over their
    mean. Pollaczek and Khinchine's formula for arrivals at random, in order: used / (1 - used) (1 + spread^2) / 2.
    Many servers make it less, jobs that need many of them at once make it more.

    >>> round(wait_in_lengths(0.8, 1), 1), round(wait_in_lengths(0.8, 3), 1)
    (4.0, 20.0)
    >>> round(wait_in_lengths(0.5, 0), 1)  # equal lengths, half used: half a length
    0.5
    """
    return used_share / (1 - used_share) * (1 + length_spread**2) / 2


@step("s", "Mean wait", rises_with=("wait_in_lengths", "job_length"))
def queue_wait(wait_in_lengths: float, job_length: float) -> float:
    """Mean wait of a job [s] for a mean `job_length` [s].

    >>> queue_wait(4, 3600)
    14400
    """
    return wait_in_lengths * job_length


@step("request/s", "Spare capacity needed during a ramp", rises_with=("ramp", "start_time"))
def headroom(ramp: float, start_time: float) -> float:
    """Capacity that must be free while traffic grows by a `ramp` [request/s²] and replicas start [request/s].

    A replica requested now serves after `start_time` [s]; until then the traffic has grown by the product.

    >>> headroom(0.5, 60)  # half a request a second more in each second, a minute to start
    30.0
    """
    return ramp * start_time


@step("request", "Requests queued when the replica is up", rises_with=("ramp", "start_time"))
def waiting_requests(ramp: float, start_time: float) -> float:
    """Requests queued after `start_time` [s] of such a ramp without spare capacity [request]: half of ramp times time².

    >>> waiting_requests(0.5, 60)
    900.0
    >>> waiting_requests(0.5, 3)
    2.25
    """
    return ramp * start_time**2 / 2
