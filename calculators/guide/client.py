"""One client: bandwidth and operations of its requests in flight."""

from math import ceil

from calculators.declare import step


@step("B/s", "Carried by requests in flight", source="little-1961", falls_with=("request_time",))
def in_flight_rate(requests_in_flight: float, request_size: float, request_time: float) -> float:
    """Bandwidth of a queue [B/s] with `requests_in_flight` of `request_size` [B], each taking `request_time` [s].

    >>> round(in_flight_rate(8, 4 * 2**20, 0.004) / 1e9, 2)
    8.39
    """
    return requests_in_flight * request_size / request_time


@step("1", "Queues that fill a port", source="little-1961", rises_with=("network_port",))
def queues_needed(network_port: float, in_flight_rate: float) -> float:
    """Queues, each to another server, that fill a `network_port` [B/s], rounded up.

    >>> queues_needed(50e9, 8.39e9)
    6
    """
    return ceil(network_port / in_flight_rate)


@step("IOPS", "Operations of one client", source="little-1961", falls_with=("operation_time",))
def client_operations(operations_in_flight: float, operation_time: float) -> float:
    """Operations per second of one client with `operations_in_flight`, each taking `operation_time` [s].

    >>> round(client_operations(8, 0.0005))
    16000
    """
    return operations_in_flight / operation_time
