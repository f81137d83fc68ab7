"""A ramp of traffic: what must stand ready because a copy does not start at once."""

from calculators.declare import step


@step("request/s", "Capacity that must stand ready", rises_with=("ramp", "start_time"))
def headroom(ramp: float, start_time: float) -> float:
    """How much capacity must be free [request/s] while traffic grows by a `ramp` [request/s²] and copies start.

    What is asked for now serves after `start_time` [s]; until then the traffic has grown by the product.

    >>> headroom(0.5, 60)  # half a request a second more in each second, a minute to start
    30.0
    """
    return ramp * start_time


@step("request", "Requests that wait when the copy is there", rises_with=("ramp", "start_time"))
def waiting_requests(ramp: float, start_time: float) -> float:
    """How many requests wait after `start_time` [s] of such a ramp where nothing stood ready: half its square.

    >>> waiting_requests(0.5, 60)
    900.0
    >>> waiting_requests(0.5, 3)
    2.25
    """
    return ramp * start_time**2 / 2
