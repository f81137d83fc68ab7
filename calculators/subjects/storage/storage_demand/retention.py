"""What is kept in which tier, and what protection and room to spare make of it."""

from math import exp, log

from calculators.declare import formulas_of, step
from calculators.units import DAY


@step("1", "Growth of what is kept", rises_with=("growth",))
def grown(growth: float, growth_years: float) -> float:
    """By how much everything kept has grown when `growth` a year has gone on for `growth_years`."""
    return exp(growth_years * log(1 + growth))


@step("B", "Kept hot, before protection", rises_with=("prepared_data", "hot_checkpoints", "weight_versions", "kv_kept"))
def hot_stored(
    prepared_data: float,
    checkpoint_size: float,
    hot_checkpoints: float,
    weights_size: float,
    weight_versions: float,
    kv_kept: float,
    grown: float,
) -> float:
    """What the fast tier holds [B]: data as training reads it, newest checkpoints, weights and caches that serve."""
    return (prepared_data + checkpoint_size * hot_checkpoints + weights_size * weight_versions + kv_kept) * grown


@step("B", "Kept warm, before protection", rises_with=("raw_data", "warm_checkpoints", "logs_per_day"))
def warm_stored(
    raw_data: float,
    checkpoint_size: float,
    warm_checkpoints: float,
    logs_per_day: float,
    log_retention: float,
    grown: float,
) -> float:
    """What object storage holds [B]: raw data, recent checkpoints, logs of `log_retention` [s]."""
    return (raw_data + checkpoint_size * warm_checkpoints + logs_per_day / DAY * log_retention) * grown


@step("B", "Kept cold, before protection", rises_with=("cold_checkpoints",))
def cold_stored(checkpoint_size: float, cold_checkpoints: float, grown: float) -> float:
    """What the archive holds [B]: milestones."""
    return checkpoint_size * cold_checkpoints * grown


@step("B/s", "Written to the warm tier", falls_with=("warm_interval",))
def warm_write(checkpoint_size: float, warm_interval: float, logs_per_day: float) -> float:
    """What object storage takes on average [B/s]: a checkpoint every `warm_interval` [s], and the logs."""
    return checkpoint_size / warm_interval + logs_per_day / DAY


@step("1", "Raw over stored", source="minio-storage-class", rises_with=("parity_fragments",))
def protection(data_fragments: float, parity_fragments: float) -> float:
    """Bytes on drives for each byte stored: every `data_fragments` come with `parity_fragments`.

    MinIO's table has 1.34 for 12 and 4, 1.79 for 9 and 7, 1.14 for 14 and 2. Three copies are 1 and 2.

    >>> round(protection(14, 2), 2), protection(1, 2)
    (1.14, 3.0)
    """
    return (data_fragments + parity_fragments) / data_fragments


@step("B", "Raw capacity of the hot tier", rises_with=("prepared_data",), falls_with=("fill_share",))
def hot_raw(hot_stored: float, protection: float, fill_share: float) -> float:
    """What the hot tier's drives must hold together [B], protected and filled no more than `fill_share`.

    >>> round(hot_raw(82.7e12, 1.25, 0.8) / 1e12, 1)
    129.2
    """
    return hot_stored * protection / fill_share


FORMULAS = formulas_of(globals())
