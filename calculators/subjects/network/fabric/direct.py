"""Direct networks of one plane: dragonflies and Slim Flies, whose routers connect nodes and each other."""

from functools import cache
from math import ceil, floor

from calculators.declare import formulas_of, step


@step("port", "Node ports per router, balanced dragonfly", source="deepseek-isca")
def balanced_hosts(switch_radix: float) -> float:
    """Node ports of a balanced dragonfly's router, and as many global ports: 1/4 of its ports each.

    >>> balanced_hosts(64)
    16
    """
    return floor(switch_radix / 4)


@step("switch", "Routers per group, balanced dragonfly", source="deepseek-isca")
def balanced_routers(switch_radix: float) -> float:
    """Routers in a group of a balanced dragonfly: half as many as a router has ports.

    >>> balanced_routers(64)
    32
    """
    return floor(switch_radix / 2)


@step("1", "Maximum dragonfly groups", source="deepseek-isca")
def dragonfly_groups_limit(routers_per_group: float, global_ports: float) -> float:
    """Maximum groups with a link between every two: one per global port of a group, plus the group itself.

    >>> dragonfly_groups_limit(32, 16)
    513
    """
    return routers_per_group * global_ports + 1


@step("1", "Dragonfly groups needed")
def groups_needed(
    plane_endpoints: float, hosts_per_router: float, routers_per_group: float, dragonfly_groups_limit: float
) -> float:
    """Groups needed for `plane_endpoints`, at most as many as can be linked to each other.

    >>> groups_needed(261632, 16, 32, 513)
    511
    """
    return min(ceil(plane_endpoints / (hosts_per_router * routers_per_group)), dragonfly_groups_limit)


@step("port", "Dragonfly node ports", source="deepseek-isca", rises_with=("groups",))
def dragonfly_endpoints(hosts_per_router: float, routers_per_group: float, groups: float) -> float:
    """Node ports of all routers.

    >>> dragonfly_endpoints(16, 32, 511)
    261632
    """
    return hosts_per_router * routers_per_group * groups


@step("switch", "Dragonfly routers", source="deepseek-isca")
def dragonfly_switches(routers_per_group: float, groups: float) -> float:
    """Routers in all groups.

    >>> dragonfly_switches(32, 511)
    16352
    """
    return routers_per_group * groups


@step("link", "Dragonfly links", source="deepseek-isca")
def dragonfly_links(routers_per_group: float, groups: float, global_ports: float) -> float:
    """Links between routers: every pair within a group, and half of all global ports, unless there is one group.

    >>> dragonfly_links(32, 511, 16)
    384272
    """
    across = floor(routers_per_group * groups * global_ports / 2) if groups > 1 else 0
    return floor(groups * routers_per_group * (routers_per_group - 1) / 2) + across


def is_power_of_a_prime(number: float) -> bool:
    """Whether a number is a power of a prime, so that a finite field of this order exists.

    >>> [one for one in range(2, 30) if is_power_of_a_prime(one)]
    [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29]
    """
    left = int(number)
    # Beyond the root the only smallest factor is the number itself.
    factor = next((one for one in range(2, int(left**0.5) + 1) if left % one == 0), left)
    while left % factor == 0 and left > 1:
        left //= factor
    return left == 1


def has_a_slim_fly(order: float) -> bool:
    """Whether a Slim Fly graph of this order is known: a power of a prime with remainder 0, 1 or 3 modulo 4.

    >>> has_a_slim_fly(28), has_a_slim_fly(29)
    (False, True)
    """
    return is_power_of_a_prime(order) and int(order) % 4 in {0, 1, 3}


def degree_of(order: float) -> int:
    """Links between one router and others in a Slim Fly of this order.

    >>> degree_of(28), degree_of(29), degree_of(27)
    (42, 43, 41)
    """
    off = {1: 1, 3: -1}.get(int(order) % 4, 0)
    return int((3 * order - off) // 2)


@cache
def orders(switch_radix: float) -> tuple[int, ...]:
    """Orders of the Slim Flies that fit routers with `switch_radix` ports; the smallest of all where none fits.

    >>> orders(16), orders(8), orders(7)
    ((3, 4, 5), (3,), (3,))
    """
    known = (one for one in range(3, int(switch_radix)) if has_a_slim_fly(one))
    return tuple(one for one in known if degree_of(one) + ceil(degree_of(one) / 2) <= switch_radix) or (3,)


@step("1", "Slim Fly order needed", source="hpc-topologies")
def order_needed(plane_endpoints: float, switch_radix: float) -> float:
    """Smallest order with `plane_endpoints` node ports, or the largest that `switch_radix` ports allow.

    Orders are powers of a prime; each router has half as many node ports as links, rounded up.

    >>> order_needed(32928, 66), order_needed(32928, 64)
    (29, 27)
    """
    fitting = orders(switch_radix)
    return next((one for one in fitting if 2 * one**2 * ceil(degree_of(one) / 2) >= plane_endpoints), fitting[-1])


@step("link", "Slim Fly links per router", source="hpc-topologies")
def slim_fly_degree(slim_fly_order: float) -> float:
    """Links of each router to others: 3/2 of the order, rounded as the graph requires.

    >>> slim_fly_degree(28)
    42
    """
    return degree_of(slim_fly_order)


@step("switch", "Slim Fly routers", source="deepseek-isca")
def slim_fly_switches(slim_fly_order: float) -> float:
    """Routers of a Slim Fly: twice the square of its order.

    >>> slim_fly_switches(28)
    1568
    """
    return 2 * slim_fly_order**2


@step("link", "Slim Fly links", source="deepseek-isca")
def slim_fly_links(slim_fly_switches: float, slim_fly_degree: float) -> float:
    """Links between routers, each counted once.

    >>> slim_fly_links(1568, 42)
    32928.0
    """
    return slim_fly_switches * slim_fly_degree / 2


@step("port", "Slim Fly node ports", source="deepseek-isca", rises_with=("slim_fly_order",))
def slim_fly_endpoints(slim_fly_switches: float, slim_fly_degree: float) -> float:
    """Node ports of all routers: each router has half as many as links to others, rounded up.

    >>> slim_fly_endpoints(1568, 42)
    32928
    """
    return slim_fly_switches * ceil(slim_fly_degree / 2)


@step("port", "Ports used per router", source="deepseek-isca")
def router_ports(
    topology: str, hosts_per_router: float, routers_per_group: float, global_ports: float, slim_fly_degree: float
) -> float:
    """Ports used on a router of a direct network: to nodes, to its group and to other groups.

    >>> router_ports("dragonfly", 16, 32, 16, 5), router_ports("slim_fly", 16, 32, 16, 42)
    (63, 63)
    """
    if topology == "slim_fly":
        return slim_fly_degree + ceil(slim_fly_degree / 2)
    return hosts_per_router + routers_per_group - 1 + global_ports


FORMULAS = formulas_of(globals())
