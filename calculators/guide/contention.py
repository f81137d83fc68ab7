"""Contention: what each of many clients gets of one store, and how many it takes until the store's limit shows."""

from math import ceil

from calculators.declare import step


@step("B/s", "All clients together", rises_with=("clients", "client_rate"))
def offered_rate(clients: float, client_rate: float) -> float:
    """Bandwidth of all `clients` together [B/s] at a `client_rate` [B/s] each.

    >>> offered_rate(4, 25e9)
    100000000000.0
    """
    return clients * client_rate


@step("B/s", "At most for each client", rises_with=("store_rate",), falls_with=("clients",))
def shared_rate(store_rate: float, clients: float, client_port: float) -> float:
    """Highest bandwidth of each client [B/s]: its share of `store_rate` [B/s], or its `client_port`.

    An even share, or the port where that is less. Queues and retries can only take from it.

    >>> shared_rate(250e9, 2, 25e9), shared_rate(250e9, 50, 25e9)
    (25000000000.0, 5000000000.0)
    """
    return min(client_port, store_rate / clients)


@step("node", "Clients that fill the store", rises_with=("store_rate",))
def filling_clients(store_rate: float, client_port: float) -> float:
    """The fewest clients whose ports of `client_port` [B/s] carry all of a `store_rate` [B/s]: fewer cannot see it.

    >>> filling_clients(250e9, 25e9)
    10
    """
    return ceil(store_rate / client_port)


@step("B/s", "Reached by each client", rises_with=("store_rate", "reached_share"), falls_with=("clients",))
def reached_rate(store_rate: float, reached_share: float, clients: float) -> float:
    """Bandwidth of each of `clients` [B/s] where they reached a share of the `store_rate` [B/s] together.

    >>> reached_rate(25, 0.5, 2)
    6.25
    """
    return store_rate * reached_share / clients


@step("1", "Below an even share", falls_with=("reached_share",))
def times_below_share(reached_share: float) -> float:
    """Even share of the storage system ÷ bandwidth that each client got [1].

    >>> times_below_share(0.4)
    2.5
    """
    return 1 / reached_share


@step("s", "Time of a request", falls_with=("client_rate",))
def request_time(requests_in_flight: float, request_size: float, client_rate: float) -> float:
    """Latency of a request of `request_size` [B] with so many outstanding at a `client_rate` [B/s] [s].

    Little's law: what is under way is the rate times the time.

    >>> request_time(128, 2**20, 2**27)
    1.0
    """
    return requests_in_flight * request_size / client_rate
