"""How many nodes: what one gives, how many each limit asks for, and what all of them then supply."""

from math import ceil

from calculators.declare import formulas_of, step


@step("B/s", "A node reads", source="ml-engineering-storage", rises_with=("path_efficiency",))
def storage_node_read(drives_per_node: float, drive_read: float, node_network: float, path_efficiency: float) -> float:
    """What one node of the store reads out [B/s]: the narrower of its drives and its network, less the path's losses.

    >>> storage_node_read(16, 14.5e9, 100e9, 0.8) / 1e9
    80.0
    """
    return min(drives_per_node * drive_read, node_network) * path_efficiency


@step("B/s", "A node writes", rises_with=("path_efficiency",))
def storage_node_write(
    drives_per_node: float, drive_write: float, protection: float, node_network: float, path_efficiency: float
) -> float:
    """What one node of the store takes [B/s]: its drives write every byte `protection` times, in full stripes.

    >>> storage_node_write(16, 10e9, 1.25, 100e9, 0.8) / 1e9
    80.0
    """
    return min(drives_per_node * drive_write / protection, node_network) * path_efficiency


@step("node", "Nodes for reading", rises_with=("gpus",), falls_with=("path_efficiency",))
def storage_nodes_for_read(read_demand: float, storage_node_read: float) -> float:
    """How many nodes read `read_demand` [B/s] out together."""
    return read_demand / storage_node_read


@step("node", "Nodes for writing", rises_with=("checkpoint_size",), falls_with=("write_window",))
def storage_nodes_for_write(write_demand: float, storage_node_write: float) -> float:
    """How many nodes take `write_demand` [B/s] together."""
    return write_demand / storage_node_write


@step("node", "Nodes for requests", falls_with=("read_size", "node_iops"))
def storage_nodes_for_requests(request_demand: float, node_iops: float) -> float:
    """How many nodes serve `request_demand` a second, each `node_iops` of them."""
    return request_demand / node_iops


@step("node", "Nodes for metadata", rises_with=("files_per_sample",), falls_with=("node_metadata_rate",))
def storage_nodes_for_metadata(metadata_demand: float, node_metadata_rate: float) -> float:
    """How many nodes serve `metadata_demand` a second, each `node_metadata_rate` of them."""
    return metadata_demand / node_metadata_rate


@step("node", "Nodes for capacity", falls_with=("drive_capacity",))
def storage_nodes_for_capacity(hot_raw: float, drives_per_node: float, drive_capacity: float) -> float:
    """How many nodes hold `hot_raw` [B]."""
    return hot_raw / (drives_per_node * drive_capacity)


@step("node", "Nodes for endurance", source="solidigm-ps1010", falls_with=("drive_writes_per_day",))
def storage_nodes_for_endurance(
    store_written_per_day: float,
    protection: float,
    drives_per_node: float,
    drive_capacity: float,
    drive_writes_per_day: float,
) -> float:
    """How many nodes' drives take `store_written_per_day` [B] every day of their warranty.

    A drive may be written full `drive_writes_per_day` times a day for as long as its warranty lasts.

    >>> round(storage_nodes_for_endurance(136.4e12, 1.25, 16, 7.68e12, 1), 1)
    1.4
    """
    return store_written_per_day * protection / (drives_per_node * drive_capacity * drive_writes_per_day)


@step("node", "Fewest that outlive one", rises_with=("data_fragments",))
def fewest_nodes(data_fragments: float, parity_fragments: float) -> float:
    """How many nodes a stripe must be spread over so that a lost one takes no more of it than its parity.

    Without parity nothing outlives a node, and one is enough.

    >>> fewest_nodes(8, 2), fewest_nodes(1, 2), fewest_nodes(8, 0)
    (5, 2, 1)
    """
    return ceil((data_fragments + parity_fragments) / parity_fragments) if parity_fragments else 1


@step("node", "Nodes that all limits ask for", rises_with=("gpus", "checkpoint_size"))
def nodes_needed(
    fewest_nodes: float,
    storage_nodes_for_read: float,
    storage_nodes_for_write: float,
    storage_nodes_for_requests: float,
    storage_nodes_for_metadata: float,
    storage_nodes_for_capacity: float,
    storage_nodes_for_endurance: float,
) -> float:
    """How many whole nodes satisfy every limit: as many as the one asks for that asks for most."""
    return max(
        fewest_nodes,
        ceil(storage_nodes_for_read),
        ceil(storage_nodes_for_write),
        ceil(storage_nodes_for_requests),
        ceil(storage_nodes_for_metadata),
        ceil(storage_nodes_for_capacity),
        ceil(storage_nodes_for_endurance),
    )


@step("node", "Storage nodes")
def storage_nodes(nodes_needed: float) -> float:
    """Nodes of the store: as many as all limits ask for, unless the reader says how many there are."""
    return nodes_needed


@step("drive", "Drives", rises_with=("drives_per_node",))
def drives(storage_nodes: float, drives_per_node: float) -> float:
    """Drives in all `storage_nodes`."""
    return storage_nodes * drives_per_node


@step("port", "Network ports of the store", falls_with=("network_port",))
def storage_ports(storage_nodes: float, node_network: float, network_port: float) -> float:
    """Ports of `network_port` [B/s] on all `storage_nodes`, each with as many as carry its `node_network` [B/s]."""
    return storage_nodes * ceil(node_network / network_port)


@step("B/s", "The store reads")
def read_supply(storage_nodes: float, storage_node_read: float) -> float:
    """What all nodes of the store read out together [B/s]."""
    return storage_nodes * storage_node_read


@step("B/s", "The store writes")
def write_supply(storage_nodes: float, storage_node_write: float) -> float:
    """What all nodes of the store take together [B/s]."""
    return storage_nodes * storage_node_write


@step("B/s", "The store's network carries", rises_with=("path_efficiency",))
def store_network(storage_nodes: float, node_network: float, path_efficiency: float) -> float:
    """What the ports of all `storage_nodes` carry [B/s] in one direction."""
    return storage_nodes * node_network * path_efficiency


@step("B/s", "The writers' network carries", rises_with=("client_network",))
def client_supply(writer_nodes: float, client_network: float, path_efficiency: float) -> float:
    """What the GPU nodes that hold the state to be written send [B/s].

    >>> client_supply(2048, 50e9, 0.8) / 1e12
    81.92
    """
    return writer_nodes * client_network * path_efficiency


@step("B/s", "The readers' network carries", rises_with=("client_network",))
def reader_supply(gpu_nodes: float, client_network: float, path_efficiency: float) -> float:
    """What all GPU nodes take in [B/s]: every one of them reads, also where only some write."""
    return gpu_nodes * client_network * path_efficiency


@step("B/s", "A GPU node takes in", rises_with=("weights_replicas",))
def read_per_gpu_node(read_demand: float, gpu_nodes: float) -> float:
    """What each GPU node takes in [B/s] when all read alike."""
    return read_demand / gpu_nodes


@step("B/s", "A writing node sends", rises_with=("checkpoint_size",), falls_with=("write_window",))
def write_per_writer_node(write_demand: float, writer_nodes: float) -> float:
    """What each GPU node sends that writes [B/s] when all send alike."""
    return write_demand / writer_nodes


@step("B/s", "Read by the rule", rises_with=("gpus", "rule_per_gpu"))
def read_by_rule(gpus: float, rule_per_gpu: float) -> float:
    """What a rule of so much for each GPU would have storage read out [B/s]."""
    return gpus * rule_per_gpu


@step("node", "Nodes by the rule", rises_with=("gpus", "rule_per_gpu"))
def storage_nodes_by_rule(read_by_rule: float, storage_node_read: float) -> float:
    """How many nodes the rule would buy.

    >>> storage_nodes_by_rule(16384e9, 80e9)
    205
    """
    return ceil(read_by_rule / storage_node_read)


FORMULAS = formulas_of(globals())
