"""Ramp: the spare capacity that rising traffic needs because a replica does not start at once."""

from calculators.declare import step


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
