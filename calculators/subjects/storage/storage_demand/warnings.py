"""Where a store sized on paper goes wrong: small files, thundering herds, small requests, saves too frequent."""

from calculators import facts
from calculators.declare import formulas_of, warning
from calculators.subjects.storage.storage_demand.verdicts import HALF
from calculators.units import DAY, MINUTE

_HERD, _RULE, _LONG = 4, 4, 2
_SHORTEST = 15 * MINUTE
_DRIVE_REQUESTS = float(facts.fact("nvme-qlc-122tb-gen5.read_iops").value)


@warning
def small_files(
    files_per_sample: float, metadata_demand: float, storage_nodes: float, node_metadata_rate: float
) -> str:
    """A file for every sample, and metadata servers more than half busy with them."""
    if files_per_sample < 1 or metadata_demand <= HALF * storage_nodes * node_metadata_rate:
        return ""
    return (
        "A file a sample asks for {metadata_demand} of metadata: "
        "pack samples into shards, and bandwidth alone is left to size."
    )


@warning
def thundering_herd(weights_replicas: float, load_direct: float, load_broadcast: float) -> str:
    """Copies that all read the same weights, where one could read and pass them on."""
    if weights_replicas <= 1 or load_direct <= _HERD * load_broadcast:
        return ""
    return (
        "A thundering herd: {weights_replicas} that read the same weights take {load_direct} of this store; "
        "read once and passed on they take {load_broadcast}."
    )


@warning
def restored_many_times(restore_copies: float) -> str:
    """Replicas that each read the same state."""
    if restore_copies <= 1:
        return ""
    return (
        "{restore_copies} copies of one state are read at once in a restore: "
        "let one replica read and the others receive it over the compute fabric, which waits anyway."
    )


@warning
def small_requests(read_size: float, drive_read: float) -> str:
    """Requests so small that drives run out of them before they run out of bandwidth."""
    if read_size >= drive_read / _DRIVE_REQUESTS:
        return ""
    return (
        "In requests of {read_size} a drive does not reach its {drive_read}: "
        "requests, not bandwidth, are what this store must be bought and tested for."
    )


@warning
def rule_asks_for_more(storage_nodes_by_rule: float, storage_nodes: float) -> str:
    """A rule of thumb that buys several times the store."""
    if storage_nodes_by_rule <= _RULE * storage_nodes:
        return ""
    return "{rule_per_gpu} for each GPU would buy {storage_nodes_by_rule}, more than four times what this job does ask."


@warning
def saves_too_frequent(
    durable_interval: float, checkpoint_size: float, drive_life: float, drive_warranty: float
) -> str:
    """Saves so frequent that they belong in memory or on the GPU nodes; worn drives are the reason only if they are."""
    if durable_interval >= _SHORTEST or checkpoint_size <= 0:
        return ""
    said = "A save every {durable_interval} belongs in memory or on the GPU nodes' own drives"
    if drive_life < drive_warranty:
        return f"{said}: on {{storage_nodes}} of flash it wears the drives out in {{drive_life}}."
    if drive_life < _LONG * drive_warranty:
        return (
            f"{said}: for flash to last {{drive_warranty}} with it takes {{storage_nodes_for_endurance}}, "
            "and the drives of {storage_nodes} last {drive_life}."
        )
    return (
        f"{said}; the {{storage_nodes}} of flash of this store bear it, at {{writes_per_drive_and_day}} drive writes "
        "a day of {drive_writes_per_day} rated."
    )


@warning
def nothing_protects(parity_fragments: float) -> str:
    """No fragment more than the data."""
    if parity_fragments > 0:  # there are never fewer than none, so != were the same
        return ""
    return "Without parity the first drive that fails takes data with it: scratch at best, never checkpoints."


@warning
def stripe_beyond_drives(data_fragments: float, parity_fragments: float, drives: float) -> str:
    """More fragments than drives to put them on."""
    if data_fragments + parity_fragments <= drives:
        return ""
    return "A stripe has more fragments than there are drives, {drives}: several would be lost with one."


@warning
def near_saves_queue(near_saves_per_day: float, local_write_time: float) -> str:
    """Near saves that are not written when the next is due."""
    if local_write_time * near_saves_per_day <= DAY:
        return ""
    return (
        "A near save takes {local_write_time}, longer than there is until the next: {near_saves_per_day} are due a day."
    )


@warning
def near_saves_too_large(
    near_saves_per_day: float, local_bytes_per_node: float, local_drives: float, local_capacity: float
) -> str:
    """A near save beside the last one, which must stay until the new one is whole."""
    if not near_saves_per_day or 2 * local_bytes_per_node <= local_drives * local_capacity:
        return ""
    return (
        "Two near saves of {local_bytes_per_node} do not fit on the {local_drives} of a GPU node, "
        "and the last must stay until the next is whole."
    )


@warning
def near_drives_wear_out(near_drive_life: float, drive_warranty: float) -> str:
    """Near saves that wear the local drives out under warranty."""
    if near_drive_life >= drive_warranty:
        return ""
    return "Near saves wear the GPU nodes' own drives out in {near_drive_life}: keep them in host memory."


FORMULAS = formulas_of(globals())
