"""What becomes of drives: how fast they wear, how long a rebuild takes, and what near copies do to local ones."""

from math import exp

from calculators.declare import formulas_of, step
from calculators.units import DAY, YEAR


@step("B", "Written to the store in a day")
def store_written_per_day(written_per_day: float, kv_written: float) -> float:
    """What saves and a serving fleet's new caches write to the store in a day [B]."""
    return written_per_day + kv_written * DAY


@step("1", "Times a day each drive is filled", source="solidigm-ps1010")
def writes_per_drive_and_day(
    store_written_per_day: float, protection: float, drives: float, drive_capacity: float
) -> float:
    """How often a day every drive of the store is written full by saves and caches alone."""
    return store_written_per_day * protection / (drives * drive_capacity)


@step("s", "Drives wear out after", source="solidigm-ps1010", rises_with=("drive_writes_per_day",))
def drive_life(drive_warranty: float, drive_writes_per_day: float, writes_per_drive_and_day: float) -> float:
    """How long the drives last [s] under the saves: what is rated for the whole `drive_warranty` [s], over the wear.

    At most a thousand years, where next to nothing is written: then drives die of age.

    >>> drive_life(5 * YEAR, 1, 0.5) / YEAR, drive_life(5 * YEAR, 1, 0) / YEAR
    (10.0, 1000.0)
    """
    rated = drive_warranty * drive_writes_per_day
    return rated / max(writes_per_drive_and_day, rated / (1000 * YEAR))


@step("B", "Rated writes of a drive", source="solidigm-ps1010", rises_with=("drive_writes_per_day",))
def drive_endurance(drive_capacity: float, drive_writes_per_day: float, drive_warranty: float) -> float:
    """How much may be written to one drive over its warranty [B], as datasheets print it in petabytes written.

    >>> round(drive_endurance(15.36e12, 1, 5 * 365 * DAY) / 1e15, 2)
    28.03
    """
    return drive_capacity * drive_writes_per_day * drive_warranty / DAY


@step("s", "Rebuild of a lost drive", falls_with=("rebuild_share",))
def rebuild_time(
    drive_capacity: float,
    fill_share: float,
    data_fragments: float,
    rebuild_share: float,
    drives: float,
    drive_read: float,
    drive_write: float,
) -> float:
    """How long it takes until a lost drive's data is whole again [s], all others sharing the work (declustered).

    For every fragment lost `data_fragments` are read and one is written, with `rebuild_share` of the slower rate.

    >>> round(rebuild_time(7.68e12, 0.8, 8, 0.25, 80, 14.5e9, 10e9) / 60, 2)
    4.67
    """
    work = drive_capacity * fill_share * (data_fragments + 1)
    return work / (rebuild_share * max(1, drives - 1) * min(drive_read, drive_write))


@step("s", "Rebuild onto a spare drive", falls_with=("drive_write",))
def spare_rebuild_time(drive_capacity: float, fill_share: float, drive_write: float) -> float:
    """How long it takes at least [s] to fill one spare drive, where a lost one is replaced whole.

    >>> round(spare_rebuild_time(7.68e12, 0.81, 10e9), 2)
    622.08
    """
    return drive_capacity * fill_share / drive_write


@step("share", "Rebuilds that meet another failure", rises_with=("drive_failure_rate",))
def rebuild_exposure(drives: float, drive_failure_rate: float, rebuild_time: float) -> float:
    """The share of rebuilds during which one more drive of the store fails.

    Drives fail independently, `drive_failure_rate` of them in a year. With two parity fragments nothing is lost then;
    with one, stripes that hold both drives are.

    >>> round(rebuild_exposure(101, 0.01, YEAR / 1000), 6)
    0.001
    """
    return 1 - exp(-max(0, drives - 1) * drive_failure_rate * rebuild_time / YEAR)


@step("1", "Near saves a day")
def near_saves_per_day(near_interval: float | None, persist_every: float, checkpoint_interval: float) -> float:
    """How many near saves there are in a day: every save is one where not each comes here, else as often as is said.

    >>> near_saves_per_day(None, 30, 120), near_saves_per_day(None, 1, 3600), near_saves_per_day(100, 1, 3600)
    (720.0, 0, 864.0)
    """
    if persist_every > 1:
        return DAY / checkpoint_interval
    return DAY / near_interval if near_interval else 0


@step("1", "Times a day each local drive is filled")
def near_writes_per_drive_and_day(
    local_bytes_per_node: float, near_saves_per_day: float, local_drives: float, local_capacity: float
) -> float:
    """How often a day near saves write every local drive full."""
    return local_bytes_per_node * near_saves_per_day / (local_drives * local_capacity)


@step("s", "Local drives wear out after")
def near_drive_life(drive_warranty: float, drive_writes_per_day: float, near_writes_per_drive_and_day: float) -> float:
    """How long the GPU nodes' own drives last [s], rated like the store's; at most a thousand years."""
    rated = drive_warranty * drive_writes_per_day
    return rated / max(near_writes_per_drive_and_day, rated / (1000 * YEAR))


@step("s", "Every copy loads by itself", rises_with=("weights_replicas",))
def load_direct(weights_size: float, weights_replicas: float, read_supply: float) -> float:
    """How long it takes [s] until all `weights_replicas` have read `weights_size` [B], each for itself."""
    return weights_size * weights_replicas / read_supply


@step("s", "Read once and passed on", source="checkpoint-engine", falls_with=("broadcast_bandwidth",))
def load_broadcast(weights_size: float, read_supply: float, broadcast_bandwidth: float) -> float:
    """How long it takes [s] when one copy is read and passed on from node to node while it arrives.

    The slower of reading and passing on sets the pace; how many receive it hardly matters.

    >>> round(load_broadcast(811.7e9, 400e9, 50e9), 1)
    16.2
    """
    return max(weights_size / read_supply, weights_size / broadcast_bandwidth)


FORMULAS = formulas_of(globals())
