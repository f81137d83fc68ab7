"""Drives: wear by checkpoints and caches, rebuild time, and wear of local drives by local checkpoints."""

from math import exp

from calculators.declare import formulas_of, step
from calculators.units import DAY, YEAR


@step("B", "Written to storage per day")
def store_written_per_day(written_per_day: float, kv_written: float, shared_index_written: float) -> float:
    """Bytes that checkpoints and new KV caches write to the storage system per day [B]."""
    return written_per_day + (kv_written + shared_index_written) * DAY


@step("1", "Drive writes per day, actual", source="solidigm-ps1010")
def writes_per_drive_and_day(
    store_written_per_day: float, protection: float, drives: float, drive_capacity: float
) -> float:
    """Full-capacity writes of each drive per day, by checkpoints and KV caches."""
    return store_written_per_day * protection / (drives * drive_capacity)


@step("s", "Drive life at this write rate", source="solidigm-ps1010", rises_with=("drive_writes_per_day",))
def drive_life(drive_warranty: float, drive_writes_per_day: float, writes_per_drive_and_day: float) -> float:
    """Life of the drives [s]: the writes rated for `drive_warranty` [s], over the writes per day.

    At most 1,000 years, if almost nothing is written: then drives fail of age.

    >>> drive_life(5 * YEAR, 1, 0.5) / YEAR, drive_life(5 * YEAR, 1, 0) / YEAR
    (10.0, 1000.0)
    """
    rated = drive_warranty * drive_writes_per_day
    return rated / max(writes_per_drive_and_day, rated / (1000 * YEAR))


@step("B", "Rated drive endurance (TBW)", source="solidigm-ps1010", rises_with=("drive_writes_per_day",))
def drive_endurance(drive_capacity: float, drive_writes_per_day: float, drive_warranty: float) -> float:
    """Bytes that may be written to one drive over its warranty [B], as datasheets print in petabytes written.

    >>> round(drive_endurance(15.36e12, 1, 5 * 365 * DAY) / 1e15, 2)
    28.03
    """
    return drive_capacity * drive_writes_per_day * drive_warranty / DAY


@step("s", "Drive rebuild time (declustered)", falls_with=("rebuild_share",))
def rebuild_time(
    drive_capacity: float,
    fill_share: float,
    data_fragments: float,
    rebuild_share: float,
    drives: float,
    drive_read: float,
    drive_write: float,
) -> float:
    """Time until a lost drive's data is rebuilt [s], all other drives sharing the work (declustered).

    For each lost fragment `data_fragments` are read and one is written, at `rebuild_share` of the slower bandwidth.

    >>> round(rebuild_time(7.68e12, 0.8, 8, 0.25, 80, 14.5e9, 10e9) / 60, 2)
    4.67
    """
    work = drive_capacity * fill_share * (data_fragments + 1)
    return work / (rebuild_share * max(1, drives - 1) * min(drive_read, drive_write))


@step("s", "Rebuild time onto one spare drive", falls_with=("drive_write",))
def spare_rebuild_time(drive_capacity: float, fill_share: float, drive_write: float) -> float:
    """Least time to fill one spare drive that replaces a lost one [s].

    >>> round(spare_rebuild_time(7.68e12, 0.81, 10e9), 2)
    622.08
    """
    return drive_capacity * fill_share / drive_write


@step("share", "Chance of a second failure during a rebuild", rises_with=("drive_failure_rate",))
def rebuild_exposure(drives: float, drive_failure_rate: float, rebuild_time: float) -> float:
    """Share of rebuilds during which another drive of the storage system fails.

    Drives fail independently, `drive_failure_rate` of them per year. With two parity fragments no data is lost then;
    with one, stripes on both drives are lost.

    >>> round(rebuild_exposure(101, 0.01, YEAR / 1000), 6)
    0.001
    """
    return 1 - exp(-max(0, drives - 1) * drive_failure_rate * rebuild_time / YEAR)


@step("1", "Local checkpoints per day")
def local_checkpoints_per_day(local_interval: float | None, persist_every: float, checkpoint_interval: float) -> float:
    """Local checkpoints per day: all checkpoints if only every n-th is persisted, else one per `local_interval` [s].

    >>> [local_checkpoints_per_day(*one) for one in ((None, 30, 120), (None, 1, 3600), (100, 1, 3600))]
    [720.0, 0, 864.0]
    """
    if persist_every > 1:
        return DAY / checkpoint_interval
    return DAY / local_interval if local_interval else 0


@step("1", "Local drive writes per day")
def local_drive_writes_per_day(
    local_bytes_per_node: float, local_checkpoints_per_day: float, local_drives: float, local_capacity: float
) -> float:
    """Full-capacity writes of each local drive per day, by local checkpoints."""
    return local_bytes_per_node * local_checkpoints_per_day / (local_drives * local_capacity)


@step("s", "Local drive life at this write rate")
def local_drive_life(drive_warranty: float, drive_writes_per_day: float, local_drive_writes_per_day: float) -> float:
    """Life of the GPU nodes' own drives [s], rated like those of the storage nodes; at most 1,000 years."""
    rated = drive_warranty * drive_writes_per_day
    return rated / max(local_drive_writes_per_day, rated / (1000 * YEAR))


@step("s", "Weight loading time, each replica by itself", rises_with=("weights_replicas",))
def load_direct(weights_size: float, weights_replicas: float, read_supply: float) -> float:
    """Time until all `weights_replicas` have read `weights_size` [B], each for itself [s]."""
    return weights_size * weights_replicas / read_supply


@step(
    "s", "Weight loading time, read once and broadcast", source="checkpoint-engine", falls_with=("broadcast_bandwidth",)
)
def load_broadcast(weights_size: float, read_supply: float, broadcast_bandwidth: float) -> float:
    """Loading time if weights are read once and broadcast from node to node while they arrive [s].

    The slower of the read and the broadcast sets the time; the number of receivers hardly matters.

    >>> round(load_broadcast(811.7e9, 400e9, 50e9), 1)
    16.2
    """
    return max(weights_size / read_supply, weights_size / broadcast_bandwidth)


FORMULAS = formulas_of(globals())
