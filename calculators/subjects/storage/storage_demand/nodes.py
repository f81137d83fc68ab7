"""Storage nodes: bandwidth of one, the number that each limit needs, and what all of them supply."""

from math import ceil

from calculators import facts
from calculators.declare import formulas_of, step

_EFFICIENCY = facts.fact("path-efficiency")
_DRIVE_POWER = float(facts.fact("storage-drive-power").value)
_OF_DRIVES = float(facts.fact("storage-drive-power-share").value)
LEAST_EFFICIENCY, BEST_EFFICIENCY = float(_EFFICIENCY.low or 1), float(_EFFICIENCY.high or 1)


@step("B/s", "Read bandwidth per storage node", source="ml-engineering-storage", rises_with=("path_efficiency",))
def storage_node_read(drives_per_node: float, drive_read: float, node_network: float, path_efficiency: float) -> float:
    """Read bandwidth of one storage node [B/s]: the lower of its drives and its network, times the path's efficiency.

    >>> storage_node_read(16, 14.5e9, 100e9, 0.8) / 1e9
    80.0
    """
    return min(drives_per_node * drive_read, node_network) * path_efficiency


@step("B/s", "Write bandwidth per storage node", rises_with=("path_efficiency",))
def storage_node_write(
    drives_per_node: float, drive_write: float, protection: float, node_network: float, path_efficiency: float
) -> float:
    """Write bandwidth of one storage node [B/s]: its drives write each byte `protection` times, in full stripes.

    >>> storage_node_write(16, 10e9, 1.25, 100e9, 0.8) / 1e9
    80.0
    """
    return min(drives_per_node * drive_write / protection, node_network) * path_efficiency


@step("node", "Storage nodes for read bandwidth", rises_with=("gpus",), falls_with=("path_efficiency",))
def storage_nodes_for_read(read_demand: float, storage_node_read: float) -> float:
    """Storage nodes that deliver `read_demand` [B/s]."""
    return read_demand / storage_node_read


@step("node", "Storage nodes for write bandwidth", rises_with=("checkpoint_size",), falls_with=("write_window",))
def storage_nodes_for_write(write_demand: float, storage_node_write: float) -> float:
    """Storage nodes that take `write_demand` [B/s]."""
    return write_demand / storage_node_write


@step("node", "Storage nodes for IOPS", falls_with=("read_size", "node_iops"))
def storage_nodes_for_requests(request_demand: float, node_iops: float) -> float:
    """Storage nodes that serve `request_demand` [1/s], `node_iops` [1/s] each."""
    return request_demand / node_iops


@step("node", "Storage nodes for metadata", rises_with=("files_per_sample",), falls_with=("node_metadata_rate",))
def storage_nodes_for_metadata(metadata_demand: float, node_metadata_rate: float) -> float:
    """Storage nodes that serve `metadata_demand` [1/s], `node_metadata_rate` [1/s] each."""
    return metadata_demand / node_metadata_rate


@step("node", "Storage nodes for capacity", falls_with=("drive_capacity",))
def storage_nodes_for_capacity(hot_raw: float, drives_per_node: float, drive_capacity: float) -> float:
    """Storage nodes that hold `hot_raw` [B]."""
    return hot_raw / (drives_per_node * drive_capacity)


@step("node", "Storage nodes for endurance", source="solidigm-ps1010", falls_with=("drive_writes_per_day",))
def storage_nodes_for_endurance(
    store_written_per_day: float,
    protection: float,
    drives_per_node: float,
    drive_capacity: float,
    drive_writes_per_day: float,
) -> float:
    """Storage nodes whose drives take `store_written_per_day` [B] on each day of their warranty.

    The warranty covers `drive_writes_per_day` full-capacity writes of a drive per day.

    >>> round(storage_nodes_for_endurance(136.4e12, 1.25, 16, 7.68e12, 1), 1)
    1.4
    """
    return store_written_per_day * protection / (drives_per_node * drive_capacity * drive_writes_per_day)


@step("node", "Minimum cluster size", rises_with=("data_fragments",))
def fewest_nodes(data_fragments: float, parity_fragments: float) -> float:
    """Storage nodes over which a stripe must be spread so that losing one loses no more fragments than parity covers.

    Without parity no data survives the loss of a node, and one node is enough.

    >>> fewest_nodes(8, 2), fewest_nodes(1, 2), fewest_nodes(8, 0)
    (5, 2, 1)
    """
    return ceil((data_fragments + parity_fragments) / parity_fragments) if parity_fragments else 1


@step("node", "Storage nodes needed", rises_with=("gpus", "checkpoint_size"))
def nodes_needed(
    fewest_nodes: float,
    storage_nodes_for_read: float,
    storage_nodes_for_write: float,
    storage_nodes_for_requests: float,
    storage_nodes_for_metadata: float,
    storage_nodes_for_capacity: float,
    storage_nodes_for_endurance: float,
) -> float:
    """Whole storage nodes that satisfy every limit."""
    return max(
        fewest_nodes,
        ceil(storage_nodes_for_read),
        ceil(storage_nodes_for_write),
        ceil(storage_nodes_for_requests),
        ceil(storage_nodes_for_metadata),
        ceil(storage_nodes_for_capacity),
        ceil(storage_nodes_for_endurance),
    )


@step("node", "Storage nodes for all but bandwidth")
def nodes_without_bandwidth(
    fewest_nodes: float,
    storage_nodes_for_requests: float,
    storage_nodes_for_metadata: float,
    storage_nodes_for_capacity: float,
    storage_nodes_for_endurance: float,
) -> float:
    """Whole storage nodes that satisfy every limit but read and write bandwidth."""
    small_reads = max(ceil(storage_nodes_for_requests), ceil(storage_nodes_for_metadata))
    return max(fewest_nodes, small_reads, ceil(storage_nodes_for_capacity), ceil(storage_nodes_for_endurance))


@step("node", "Storage nodes at the least published network efficiency", source="deepseek-3fs")
def nodes_at_most(
    nodes_without_bandwidth: float,
    storage_nodes_for_read: float,
    storage_nodes_for_write: float,
    path_efficiency: float,
) -> float:
    """Storage nodes if the network reaches the least share of line rate that was published [node]."""
    bandwidth = max(storage_nodes_for_read, storage_nodes_for_write)
    return max(nodes_without_bandwidth, ceil(bandwidth * path_efficiency / LEAST_EFFICIENCY))


@step("node", "Storage nodes at the best published network efficiency", source="deepseek-3fs")
def nodes_at_least(
    nodes_without_bandwidth: float,
    storage_nodes_for_read: float,
    storage_nodes_for_write: float,
    path_efficiency: float,
) -> float:
    """Storage nodes if the network reaches the best share of line rate that was published [node]."""
    bandwidth = max(storage_nodes_for_read, storage_nodes_for_write)
    return max(nodes_without_bandwidth, ceil(bandwidth * path_efficiency / BEST_EFFICIENCY))


@step("node", "Storage nodes")
def storage_nodes(nodes_needed: float) -> float:
    """Storage nodes: enough for all limits, unless the number is given."""
    return nodes_needed


@step("drive", "Drives", rises_with=("drives_per_node",))
def drives(storage_nodes: float, drives_per_node: float) -> float:
    """Drives in all `storage_nodes`."""
    return storage_nodes * drives_per_node


@step("port", "Storage network ports", falls_with=("network_port",))
def storage_ports(storage_nodes: float, node_network: float, network_port: float) -> float:
    """Ports of `network_port` [B/s] on all `storage_nodes`, each node with enough for its `node_network` [B/s]."""
    return storage_nodes * ceil(node_network / network_port)


@step("B/s", "Storage read bandwidth")
def read_supply(storage_nodes: float, storage_node_read: float) -> float:
    """Read bandwidth of all storage nodes [B/s]."""
    return storage_nodes * storage_node_read


@step("B/s", "Storage write bandwidth")
def write_supply(storage_nodes: float, storage_node_write: float) -> float:
    """Write bandwidth of all storage nodes [B/s]."""
    return storage_nodes * storage_node_write


@step("B/s", "Storage network bandwidth", rises_with=("path_efficiency",))
def store_network(storage_nodes: float, node_network: float, path_efficiency: float) -> float:
    """Bandwidth of the ports of all `storage_nodes`, in one direction [B/s]."""
    return storage_nodes * node_network * path_efficiency


@step("W", "Power of the storage nodes")
def storage_nodes_power(storage_nodes: float, drives_per_node: float) -> float:
    """Rated power of all storage nodes [W]: their drives writing, and as much again for the rest of the nodes.

    >>> storage_nodes_power(5, 16)
    3200.0
    """
    return storage_nodes * drives_per_node * _DRIVE_POWER / _OF_DRIVES


@step("B/s", "Network bandwidth of the writing GPU nodes", rises_with=("client_network",))
def client_supply(writer_nodes: float, client_network: float, path_efficiency: float) -> float:
    """Bandwidth at which the GPU nodes that write a checkpoint can send [B/s].

    >>> client_supply(2048, 50e9, 0.8) / 1e12
    81.92
    """
    return writer_nodes * client_network * path_efficiency


@step("B/s", "Network bandwidth of all GPU nodes", rises_with=("client_network",))
def reader_supply(gpu_nodes: float, client_network: float, path_efficiency: float) -> float:
    """Bandwidth at which all GPU nodes can receive [B/s]: all of them read, even if only some write."""
    return gpu_nodes * client_network * path_efficiency


@step("B/s", "Read demand per GPU node", rises_with=("weights_replicas",))
def read_per_gpu_node(read_demand: float, gpu_nodes: float) -> float:
    """Read demand of each GPU node, if all read alike [B/s]."""
    return read_demand / gpu_nodes


@step("B/s", "Write demand per writing GPU node", rises_with=("checkpoint_size",), falls_with=("write_window",))
def write_per_writer_node(write_demand: float, writer_nodes: float) -> float:
    """Write demand of each GPU node that writes, if all send alike [B/s]."""
    return write_demand / writer_nodes


@step("s", "Checkpoint write time with these networks and nodes")
def burst_time(
    write_window: float, write_demand: float, write_supply: float, client_supply: float, store_network: float
) -> float:
    """Time of a checkpoint write [s]: `write_window`, or more where less than `write_demand` [B/s] is carried.

    >>> burst_time(60, 95e9, 400e9, 400e9, 400e9), burst_time(60, 100e9, 400e9, 50e9, 400e9)
    (60, 120.0)
    """
    carried = min(write_supply, client_supply, store_network)
    return write_window * write_demand / carried if write_demand > carried else write_window


@step("B/s", "Read bandwidth by rule of thumb", rises_with=("gpus", "rule_per_gpu"))
def read_by_rule(gpus: float, rule_per_gpu: float) -> float:
    """Read bandwidth that the rule of thumb buys [B/s]."""
    return gpus * rule_per_gpu


@step("node", "Storage nodes by rule of thumb", rises_with=("gpus", "rule_per_gpu"))
def storage_nodes_by_rule(read_by_rule: float, storage_node_read: float) -> float:
    """Storage nodes that the rule of thumb buys.

    >>> storage_nodes_by_rule(16384e9, 80e9)
    205
    """
    return ceil(read_by_rule / storage_node_read)


FORMULAS = formulas_of(globals())
