"""Warnings of storage demand: small files, thundering herds, small requests, checkpoints too frequent."""

from calculators import facts
from calculators.declare import formulas_of, warning
from calculators.subjects.storage.storage_demand.verdicts import HALF
from calculators.units import DAY, MINUTE

_HERD, _LONG, _EASILY = 4, 2, 10
_SHORTEST = 15 * MINUTE
_DRIVE_REQUESTS = float(facts.fact("nvme-qlc-122tb-gen5.read_iops").value)


@warning(speaks="files_per_sample=1&node_metadata_rate=190", silent="files_per_sample=1&node_metadata_rate=500")
def small_files(
    files_per_sample: float, metadata_demand: float, storage_nodes: float, node_metadata_rate: float
) -> str:
    """One file per sample, with more than half of the metadata capacity in use."""
    if files_per_sample < 1 or metadata_demand <= HALF * storage_nodes * node_metadata_rate:
        return ""
    return (
        "One file per sample needs {metadata_demand} of metadata: "
        "pack samples into shards, then only bandwidth has to be sized."
    )


@warning(speaks="weights_replicas=1000&storage_nodes=5", silent="")
def thundering_herd(weights_replicas: float, load_direct: float, load_broadcast: float) -> str:
    """Replicas that all read the same weights, where a broadcast is much faster."""
    if weights_replicas <= 1 or load_direct <= _HERD * load_broadcast:
        return ""
    return (
        "Thundering herd: {weights_replicas} that read the same weights take {load_direct} on this storage system; "
        "read once and broadcast, loading takes {load_broadcast}."
    )


@warning(speaks="restore_copies=2", silent="restore_copies=1")
def restored_many_times(restore_copies: float) -> str:
    """Replicas that each read the same state."""
    if restore_copies <= 1:
        return ""
    return (
        "{restore_copies} replicas read the same state in a restore: "
        "read it once and broadcast it over the compute fabric, which is idle at that time."
    )


@warning(speaks="drive_write=1kB/s", silent="")
def another_fails_first(rebuild_exposure: float) -> str:
    """A rebuild so long that a second drive more likely fails meanwhile than not."""
    if rebuild_exposure <= HALF:
        return ""
    return (
        "Rebuilding a drive takes {rebuild_time}; the chance of a second failure meanwhile is {rebuild_exposure}. "
        "Give the rebuild more bandwidth, or use faster drives."
    )


@warning(speaks="rebuild_share=0.1%&drive=drive-d5-p5336", silent="")
def slow_rebuild(rebuild_time: float, spare_rebuild_time: float, rebuild_exposure: float) -> str:
    """A rebuild on all drives that takes longer than one onto a single spare drive."""
    if rebuild_time <= spare_rebuild_time or rebuild_exposure > HALF:
        return ""
    return (
        "Rebuilding a drive takes {rebuild_time} at {rebuild_share} of the drives' bandwidth, onto one spare drive it "
        "would take {spare_rebuild_time}; the chance of a second failure meanwhile is {rebuild_exposure}. "
        "Give the rebuild more bandwidth."
    )


@warning(speaks="read_size=4KiB", silent="")
def small_requests(read_size: float, drive_read: float) -> str:
    """Requests so small that drives reach their IOPS limit before their bandwidth."""
    if read_size >= drive_read / _DRIVE_REQUESTS:
        return ""
    return (
        "With requests of {read_size} a drive does not reach its {drive_read}: "
        "size and test this storage system by IOPS, not bandwidth."
    )


@warning(speaks="checkpoint_interval=899s&storage_nodes=2", silent="checkpoint_interval=900s&storage_nodes=2")
def checkpoints_too_frequent(
    durable_interval: float, checkpoint_size: float, drive_life: float, drive_warranty: float
) -> str:
    """Checkpoints so frequent that memory or local drives suit them better."""
    if durable_interval >= _SHORTEST or checkpoint_size <= 0 or drive_life > _EASILY * drive_warranty:
        return ""
    text = "Keep checkpoints every {durable_interval} in memory or on the GPU nodes' own drives"
    if drive_life < drive_warranty:
        return f"{text}: they wear out the drives of {{storage_nodes}} in {{drive_life}}."
    if drive_life < _LONG * drive_warranty:
        return (
            f"{text}: drives that last {{drive_warranty}} need {{storage_nodes_for_endurance}}; "
            "those of {storage_nodes} last {drive_life}."
        )
    return (
        f"{text}. The drives of {{storage_nodes}} endure it, at {{writes_per_drive_and_day}} drive writes "
        "per day of {drive_writes_per_day} rated."
    )


@warning(speaks="parity_fragments=0", silent="parity_fragments=1")
def nothing_protects(parity_fragments: float) -> str:
    """No parity fragment."""
    if parity_fragments > 0:
        return ""
    return "Without parity the first drive failure loses data: use it for scratch at most, never for checkpoints."


@warning(speaks="storage_nodes=1&drives_per_node=9", silent="storage_nodes=1&drives_per_node=10")
def stripe_beyond_drives(data_fragments: float, parity_fragments: float, drives: float) -> str:
    """More fragments per stripe than drives."""
    if data_fragments + parity_fragments <= drives:
        return ""
    return "A stripe has more fragments than the {drives}: one failure loses several fragments."


@warning(speaks="gpus=64&local_interval=60s", silent="gpus=64&local_interval=1d")
def local_checkpoints_overlap(local_checkpoints_per_day: float, local_write_time: float) -> str:
    """Local checkpoints that take longer than their interval."""
    if local_write_time * local_checkpoints_per_day <= DAY:
        return ""
    return "A local checkpoint takes {local_write_time}, longer than its interval: {local_checkpoints_per_day} per day."


@warning(speaks="gpus=32&local_interval=1d&local_drives=1", silent="gpus=32&local_interval=1d&local_drives=2")
def local_checkpoints_too_large(
    local_checkpoints_per_day: float, local_bytes_per_node: float, local_drives: float, local_capacity: float
) -> str:
    """A local checkpoint and the previous one, which is kept until the new one is complete."""
    if not local_checkpoints_per_day or 2 * local_bytes_per_node <= local_drives * local_capacity:
        return ""
    return (
        "Two local checkpoints of {local_bytes_per_node} do not fit on the {local_drives} of a GPU node: "
        "the last is kept until the next is complete."
    )


@warning(speaks="gpus=64&local_interval=5min", silent="gpus=64&local_interval=1d")
def local_drives_wear_out(local_drive_life: float, drive_warranty: float) -> str:
    """Local checkpoints that wear out the local drives within their warranty."""
    if local_drive_life >= drive_warranty:
        return ""
    return "Local checkpoints wear out the GPU nodes' drives in {local_drive_life}: keep them in host memory."


FORMULAS = formulas_of(globals())
