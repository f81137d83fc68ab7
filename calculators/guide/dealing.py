"""Dealing at random: how full the fullest server is where clients choose without looking."""

from math import exp, lgamma, log, log1p

from calculators.declare import step

_HALF = 0.5


def chance_of(count: int, clients: int, servers: int) -> float:
    """The chance that one of `servers` is chosen by exactly so many of `clients`, each choosing at random.

    >>> round(chance_of(1, 2, 2), 6)
    0.5
    """
    ways = lgamma(clients + 1) - lgamma(count + 1) - lgamma(clients - count + 1)
    return exp(ways - count * log(servers) + (clients - count) * log1p(-1 / servers))


@step("1", "Clients of the fullest server", rises_with=("clients",))
def fullest_server(clients: float, servers: float) -> float:
    """Clients of the fullest of `servers`, where each of `clients` chooses one at random: the median.

    The servers are taken for independent, which holds for many of them.

    >>> fullest_server(64, 64), fullest_server(1024, 64)
    (4, 26)
    """
    dealt, boxes = round(clients), round(servers)
    if boxes <= 1:
        return dealt
    below, count = chance_of(0, dealt, boxes), 0
    while below**boxes < _HALF and count < dealt:
        count += 1
        below += chance_of(count, dealt, boxes)
    return count


@step("1", "Times an even share", falls_with=("clients",))
def times_even_share(fullest_server: float, clients: float, servers: float) -> float:
    """Clients of the fullest server ÷ an even share [1].

    >>> times_even_share(4, 64, 64)
    4.0
    """
    return fullest_server * servers / clients
