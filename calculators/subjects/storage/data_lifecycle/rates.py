"""Rates in the month shown: what moves and is deleted, bandwidth, preparation, power and space."""

from calculators.declare import formulas_of, record, step
from calculators.subjects.storage.data_lifecycle.estate import Plan
from calculators.subjects.storage.data_lifecycle.media import Medium
from calculators.subjects.storage.data_lifecycle.streams import (
    COLD,
    HOT,
    MONTHS_A_YEAR,
    WARM,
    Estate,
    Movement,
    grown,
    movement_between,
)
from calculators.units import HOUR, MONTH

_HOURS_A_MONTH = MONTH / HOUR


@record("Movement in the month shown")
def movement(estate: Estate, month_number: float) -> Movement:
    """Flows of every tier in the month shown; in month 0 those of the first month."""
    end = max(1, int(month_number))
    return movement_between(estate, end - 1, end)


@step("B", "Arrives on the hot tier")
def hot_came_in(movement: Movement) -> float:
    """Bytes that come to the hot tier in the month [B]."""
    return movement.entered[HOT]


@step("B", "Moved down from the hot tier")
def moved_to_warm(movement: Movement) -> float:
    """Bytes that move from the hot tier to the next in the month [B]; models go to the cold one."""
    return movement.moved[HOT]


@step("B", "Moved down from the warm tier")
def moved_to_cold(movement: Movement) -> float:
    """Bytes that move from the warm to the cold tier in the month [B]."""
    return movement.moved[WARM]


@step("B", "Deleted from the hot tier")
def hot_deleted(movement: Movement) -> float:
    """Bytes deleted from the hot tier in the month [B]."""
    return max(0.0, movement.deleted[HOT])  # what is left of a difference of very large numbers


@step("B", "Deleted from the warm tier")
def warm_deleted(movement: Movement) -> float:
    """Bytes deleted from the warm tier in the month [B]."""
    return max(0.0, movement.deleted[WARM])


@step("B", "Deleted from the cold tier")
def cold_deleted(movement: Movement) -> float:
    """Bytes deleted from the cold tier in the month [B]."""
    return movement.deleted[COLD]


@step("B", "Deleted in the month")
def deleted(movement: Movement) -> float:
    """Bytes deleted from all tiers in the month [B]."""
    return sum(on_tier for on_tier in movement.deleted)


@step("1", "New versions per month", falls_with=("version_interval",))
def versions_per_month(version_interval: float, calendar_month: float) -> float:
    """Versions of the prepared data made in a month."""
    return calendar_month / version_interval


@step("B", "Prepared data in the month shown", rises_with=("prepared_data",))
def prepared_then(prepared_data: float, prepared_growth: float, month_number: float) -> float:
    """Size of a version in the month shown [B]."""
    return prepared_data * grown(prepared_growth, month_number / MONTHS_A_YEAR)


@step("B", "Recalled from the cold tier", rises_with=("reread_share",))
def recalled(raw_cold: float, reread_share: float, versions_per_month: float) -> float:
    """Raw data that versions of the month read from the cold tier [B]."""
    return reread_share * raw_cold * versions_per_month


@step("B/s", "Hot tier: reads", rises_with=("training_read",))
def hot_read_rate(
    training_read: float,
    training_share: float,
    moved_to_warm: float,
    versions_per_month: float,
    prepared_then: float,
    prep_passes: float,
    calendar_month: float,
) -> float:
    """Mean read rate of the hot tier [B/s]: training, moves down, passes of the preparation after the first."""
    prepared = versions_per_month * prepared_then * (prep_passes - 1)
    return training_read * training_share + (moved_to_warm + prepared) / calendar_month


@step("B/s", "Hot tier: writes", rises_with=("prep_written",))
def hot_write_rate(
    hot_came_in: float, versions_per_month: float, prepared_then: float, prep_written: float, calendar_month: float
) -> float:
    """Mean write rate of the hot tier [B/s]: what comes in, and what the preparation writes on the way."""
    return (hot_came_in + versions_per_month * prepared_then * prep_written) / calendar_month


@step("B/s", "Warm tier: reads", rises_with=("reread_share",))
def warm_read_rate(
    moved_to_cold: float,
    raw_warm: float,
    reread_share: float,
    versions_per_month: float,
    recalled: float,
    calendar_month: float,
) -> float:
    """Mean read rate of the warm tier [B/s]: moves down, raw data for new versions, recalled data."""
    return (moved_to_cold + reread_share * raw_warm * versions_per_month + recalled) / calendar_month


@step("B/s", "Warm tier: writes", rises_with=("reread_share",))
def warm_write_rate(movement: Movement, recalled: float, calendar_month: float) -> float:
    """Mean write rate of the warm tier [B/s]: what comes in, and recalled data."""
    return (movement.entered[WARM] + recalled) / calendar_month


@step("B/s", "Cold tier: reads", rises_with=("reread_share",))
def cold_read_rate(recalled: float, calendar_month: float) -> float:
    """Mean read rate of the cold tier [B/s]: recalls for new versions."""
    return recalled / calendar_month


@step("B/s", "Cold tier: writes", rises_with=("backup_copies",))
def cold_write_rate(movement: Movement, backup_copies: float, calendar_month: float) -> float:
    """Mean write rate of the cold tier [B/s]: what comes in, and backups of what cannot be made again."""
    return (movement.entered[COLD] + backup_copies * movement.irreplaceable) / calendar_month


@step("B/s", "To replica sites", rises_with=("replica_sites",))
def replicated(movement: Movement, replica_sites: float, calendar_month: float) -> float:
    """Mean rate to replica sites [B/s]: what arrives and cannot be made again."""
    return replica_sites * movement.irreplaceable / calendar_month


@step("s", "Preparation time today", falls_with=("prep_cores",))
def prep_time_now(estate: Estate, reread_share: float, prep_core_seconds: float, prep_cores: float) -> float:
    """Time of one preparation of today's raw data [s]."""
    return _raw(estate, 0) * reread_share * prep_core_seconds / prep_cores


@step("s/B", "Core-seconds per byte")
def prep_core_seconds(prep_core_hours_per_tb: float, calendar_month: float) -> float:
    """Processor time for a byte of raw data [s/B]; a core-hour is a count, the month says how long an hour is."""
    return prep_core_hours_per_tb * calendar_month / _HOURS_A_MONTH


@step("s", "Preparation time", falls_with=("prep_cores",), rises_with=("prep_core_hours_per_tb", "reread_share"))
def prep_time(
    estate: Estate, month_number: float, reread_share: float, prep_core_seconds: float, prep_cores: float
) -> float:
    """Time of one preparation in the month shown [s]: the raw data that a version reads, on all cores."""
    return _raw(estate, month_number) * reread_share * prep_core_seconds / prep_cores


def _raw(estate: Estate, number: float) -> float:
    return sum(estate.raw_on(tier)[int(number)] for tier in (HOT, WARM, COLD))


@step("B", "Hot tier: raw capacity", rises_with=("hot_bought",))
def storage_capacity(hot_tier: Medium, hot_bought: float | None, plan: Plan, month_number: float) -> float:
    """Raw capacity of the hot tier [B]: bought, or as the month shown needs."""
    return _capacity(hot_tier, hot_bought, plan.needed[HOT][int(month_number)])


@step("B", "Warm tier: raw capacity", rises_with=("warm_bought",))
def warm_tier_raw(warm_tier: Medium, warm_bought: float | None, plan: Plan, month_number: float) -> float:
    """Raw capacity of the warm tier [B]: bought, or as the month shown needs."""
    return _capacity(warm_tier, warm_bought, plan.needed[WARM][int(month_number)])


@step("B", "Cold tier: raw capacity", rises_with=("cold_bought",))
def cold_tier_raw(cold_tier: Medium, cold_bought: float | None, plan: Plan, month_number: float) -> float:
    """Raw capacity of the cold tier [B]: bought, or as the month shown needs."""
    return _capacity(cold_tier, cold_bought, plan.needed[COLD][int(month_number)])


def _capacity(medium: Medium, bought: float | None, needed: float) -> float:
    return needed * medium.raw_per_stored if bought is None else bought


@step("B/s", "Hot tier: read bandwidth", rises_with=("hot_read_per_tb",))
def hot_bandwidth(hot_tier: Medium, storage_capacity: float) -> float:
    """Read bandwidth of the hot tier's drives [B/s]."""
    return hot_tier.read_per_tb * storage_capacity


@step("B/s", "Warm tier: read bandwidth", not_applicable="the provider's")
def warm_bandwidth(warm_tier: Medium, warm_tier_raw: float) -> float | None:
    """Read bandwidth of the warm tier's drives [B/s]; None where it is rented."""
    return None if warm_tier.rented else warm_tier.read_per_tb * warm_tier_raw


@step("share", "Hot tier: bandwidth in use")
def hot_busy(hot_tier: Medium, hot_read_rate: float, hot_write_rate: float, storage_capacity: float) -> float:
    """Reads and writes of the hot tier, each as a share of what its drives deliver."""
    return busy(hot_tier, hot_read_rate, hot_write_rate, storage_capacity)


@step("share", "Warm tier: bandwidth in use")
def warm_busy(warm_tier: Medium, warm_read_rate: float, warm_write_rate: float, warm_tier_raw: float) -> float:
    """Reads and writes of the warm tier, each as a share of what its drives deliver; 0 where it is rented."""
    return busy(warm_tier, warm_read_rate, warm_write_rate, warm_tier_raw)


def busy(medium: Medium, read: float, written: float, capacity: float) -> float:
    """Share of a tier's bandwidth that reads and writes [B/s] take; 0 where it is rented or empty."""
    if medium.rented or not capacity:
        return 0
    return (read / medium.read_per_tb + written / medium.write_per_tb) / capacity


@step("W", "Power of the storage")
def storage_power(
    hot_tier: Medium,
    warm_tier: Medium,
    cold_tier: Medium,
    hot_held: float,
    warm_held: float,
    cold_held: float,
) -> float:
    """Power of the tiers that are owned, for what they hold in the month shown [W]."""
    pairs = ((hot_tier, hot_held), (warm_tier, warm_held), (cold_tier, cold_held))
    return sum(medium.stored_watts * bytes_ for medium, bytes_ in pairs)


@step("rack unit", "Storage rack units")
def storage_units(
    hot_tier: Medium,
    warm_tier: Medium,
    cold_tier: Medium,
    hot_held: float,
    warm_held: float,
    cold_held: float,
) -> float:
    """Rack units of the tiers that are owned, for what they hold in the month shown."""
    pairs = ((hot_tier, hot_held), (warm_tier, warm_held), (cold_tier, cold_held))
    return sum(bytes_ * medium.raw_per_stored / medium.units_density for medium, bytes_ in pairs if not medium.rented)


FORMULAS = formulas_of(globals())
