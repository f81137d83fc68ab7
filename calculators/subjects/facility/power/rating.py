"""Rating: what servers, racks of support and the site may draw at most, from the watts of one GPU."""

from calculators import facts
from calculators.declare import formulas_of, step

_SUPPORT = float(facts.fact("support-share").value)
_WITHOUT_FABRIC = float(facts.fact("storage-management-share").value)
_SHORTCUT = float(facts.fact("shortcut-factor").value)


@step("GPU", "GPUs in a node of the job")
def node_gpus(gpus: float, gpus_per_node: float) -> float:
    """GPUs that a server of this job holds [GPU]: as many as fit, or all of a job smaller than a server.

    >>> node_gpus(1024, 8), node_gpus(1, 8)
    (8, 1)
    """
    return min(gpus, gpus_per_node)


@step("W", "Rated power of a node", source="nvidia-prs")
def node_power(node_gpus: float, watts_per_gpu: float) -> float:
    """Rated power of a server [W]: its GPUs at their maximum and the rest of the server.

    A GB200 tray: four GPUs of 1,200 W, 500 W of processors and 1,400 W static, printed as 6.7 kW.

    >>> node_power(4, 1200 + (500 + 1400) / 4)
    6700.0
    """
    return node_gpus * watts_per_gpu


@step("W", "Power of all GPU servers", rises_with=("gpus",))
def compute_power(gpu_nodes: float, node_power: float) -> float:
    """Rated power of all servers with GPUs [W].

    A GB200 NVL72 rack of 18 trays, printed as 120 kW.

    >>> compute_power(18, 6700)
    120600
    """
    return gpu_nodes * node_power


@step("W", "Power of all GPUs", rises_with=("gpu_power",))
def gpus_power(gpu_nodes: float, node_gpus: float, gpu_power: float) -> float:
    """Maximum power of the GPUs of all nodes [W], without anything around them."""
    return gpu_nodes * node_gpus * gpu_power


@step("W", "Server power besides GPUs")
def servers_rest_power(compute_power: float, gpus_power: float) -> float:
    """Rated power of servers besides their GPUs [W]; nothing where a node's own rating is below that of its GPUs."""
    return max(0, compute_power - gpus_power)


@step("share", "Support, with the fabric counted")
def counted_support_share(
    all_fabric_power: float | None, storage_nodes_power: float | None, compute_power: float
) -> float:
    """Network, storage and management over the GPU servers [share]: usual, or the watts of fabrics and storage nodes.

    Storage nodes that draw less than the usual share of storage and management count as that share.

    >>> [round(counted_support_share(5e3, storage, 1e5), 2) for storage in (None, 3e3, 6e3)]
    [0.09, 0.09, 0.11]
    """
    if all_fabric_power is None and storage_nodes_power is None:
        return _SUPPORT
    servers = max(1, compute_power)
    network = _SUPPORT - _WITHOUT_FABRIC if all_fabric_power is None else all_fabric_power / servers
    return network + max(_WITHOUT_FABRIC, (storage_nodes_power or 0) / servers)


@step("W", "Power of network, storage, management", rises_with=("support_share",))
def support_power(compute_power: float, support_share: float) -> float:
    """Rated power of everything except the GPU servers [W], as a share of theirs."""
    return compute_power * support_share


@step("W", "Rated IT load", rises_with=("gpus", "support_share"))
def it_power(compute_power: float, support_share: float, other_power: float) -> float:
    """Rated IT power [W]: servers, what supports them as a share of their power, and other servers.

    >>> it_power(1.0e6, 0.25, 0), it_power(100e3, 0.25, 5e3)
    (1250000.0, 130000.0)
    """
    return compute_power * (1 + support_share) + other_power


@step("W", "Facility power", rises_with=("pue",))
def facility_power(it_power: float, pue: float) -> float:
    """Facility power [W] when all IT draws its rating: IT, and cooling and losses by `pue`.

    The average `pue` of a year understates the hottest hour, for which chillers and contracts are sized.
    """
    return it_power * pue


@step("W", "Cooling and power losses", rises_with=("pue",))
def overhead_power(facility_power: float, it_power: float) -> float:
    """Power of the facility besides IT [W]."""
    return facility_power - it_power


@step("W", "By rule of thumb: GPU power × 1.3", rises_with=("gpu_power",))
def shortcut_power(gpus: float, gpu_power: float) -> float:
    """Power of the servers as web calculators count it [W]: GPUs at their maximum, and 30% for the rest."""
    return gpus * gpu_power * _SHORTCUT


FORMULAS = formulas_of(globals())
