"""Retention: bytes kept in each tier, and the raw capacity with protection and free space."""

from math import exp, log

from calculators.declare import formulas_of, step, variant
from calculators.subjects.storage.storage_demand.kinds import Tier
from calculators.units import DAY


@step("1", "Growth factor of data sets", rises_with=("growth",))
def growth_factor(growth: float, growth_years: float) -> float:
    """Factor by which data sets grow at `growth` per year in `growth_years`."""
    return exp(growth_years * log(1 + growth))


checkpoint_growth_factor = variant(
    growth_factor,
    {"growth": "checkpoint_growth"},
    name="checkpoint_growth_factor",
    label="Growth factor of checkpoints",
)
log_growth_factor = variant(
    growth_factor, {"growth": "log_growth"}, name="log_growth_factor", label="Growth factor of logs"
)


@step("B", "Raw data, grown", rises_with=("raw_data",))
def raw_grown(raw_data: float, growth_factor: float) -> float:
    """Originals on the tier they are kept on [B]."""
    return raw_data * growth_factor


@step("B", "Checkpoints and weights in the hot tier")
def hot_models(checkpoint_size: float, hot_checkpoints: float, weights_size: float, weight_versions: float) -> float:
    """Size of the checkpoints and versions of weights retained in the hot tier [B], before growth."""
    return checkpoint_size * hot_checkpoints + weights_size * weight_versions


@step(
    "B",
    "Hot tier: data before protection",
    rises_with=("prepared_data", "hot_checkpoints", "weight_versions", "kv_kept", "shared_index_kept"),
)
def hot_stored(
    prepared_data: float,
    raw_grown: float,
    raw_tier: Tier,
    hot_models: float,
    kv_kept: float,
    shared_index_kept: float,
    growth_factor: float,
    checkpoint_growth_factor: float,
) -> float:
    """Data in the hot tier [B]: prepared data set, newest checkpoints, weights and KV caches of inference, grown.

    Data sets grow by themselves, checkpoints and weights with the model, KV caches with neither. `shared_index_kept`
    [B] is a vector index of the size that it will have.
    """
    data = prepared_data * growth_factor + (raw_grown if raw_tier == "hot" else 0)
    return data + hot_models * checkpoint_growth_factor + kv_kept + shared_index_kept


@step("B", "Logs and rollouts per day", rises_with=("rollouts_stored_per_day",))
def logged_per_day(logs_per_day: float, rollouts_stored_per_day: float) -> float:
    """Bytes of logs and of rollouts of RL post-training per day [B]; rollouts are kept as long as logs.

    `rollouts_stored_per_day` is a rate [B/s].

    >>> logged_per_day(50e9, 1e6)
    136400000000.0
    """
    return logs_per_day + rollouts_stored_per_day * DAY


@step("B", "Warm tier: data before protection", rises_with=("raw_data", "warm_checkpoints", "logs_per_day"))
def warm_stored(
    raw_grown: float,
    raw_tier: Tier,
    checkpoint_size: float,
    warm_checkpoints: float,
    logged_per_day: float,
    log_retention: float,
    checkpoint_growth_factor: float,
    log_growth_factor: float,
) -> float:
    """Data in object storage [B]: raw data, recent checkpoints, logs and rollouts of `log_retention` [s]."""
    of_models = checkpoint_size * warm_checkpoints * checkpoint_growth_factor
    return (
        (raw_grown if raw_tier == "warm" else 0) + of_models + logged_per_day / DAY * log_retention * log_growth_factor
    )


@step("B", "Cold tier: data before protection", rises_with=("cold_checkpoints",))
def cold_stored(
    raw_grown: float, raw_tier: Tier, checkpoint_size: float, cold_checkpoints: float, checkpoint_growth_factor: float
) -> float:
    """Data in the archive [B]: milestone checkpoints, and raw data that is archived.

    >>> cold_stored(50.0, "cold", 2.0, 10.0, 1.0), cold_stored(50.0, "warm", 2.0, 10.0, 1.0)
    (70.0, 20.0)
    """
    return (raw_grown if raw_tier == "cold" else 0) + checkpoint_size * cold_checkpoints * checkpoint_growth_factor


@step("B/s", "Write rate to the warm tier", falls_with=("warm_interval",))
def warm_write(checkpoint_size: float, warm_interval: float, logged_per_day: float) -> float:
    """Mean write rate to object storage [B/s]: a checkpoint every `warm_interval` [s], logs and rollouts."""
    return checkpoint_size / warm_interval + logged_per_day / DAY


@step("1", "Raw ÷ stored bytes", source="minio-storage-class", rises_with=("parity_fragments",))
def protection(data_fragments: float, parity_fragments: float) -> float:
    """Bytes on drives per byte stored: `data_fragments` are stored with `parity_fragments`.

    MinIO's table has 1.34 for 12 and 4, 1.79 for 9 and 7, 1.14 for 14 and 2. Three-way replication is 1 and 2.

    >>> round(protection(14, 2), 2), protection(1, 2)
    (1.14, 3.0)
    """
    return (data_fragments + parity_fragments) / data_fragments


@step("B", "Hot tier: raw capacity", rises_with=("prepared_data",), falls_with=("fill_share",))
def hot_raw(hot_stored: float, protection: float, fill_share: float) -> float:
    """Raw capacity of the hot tier's drives [B], with protection and filled to `fill_share` at most.

    >>> round(hot_raw(82.7e12, 1.25, 0.8) / 1e12, 1)
    129.2
    """
    return hot_stored * protection / fill_share


FORMULAS = formulas_of(globals())
