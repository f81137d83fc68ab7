"""Stocks: what each tier holds by month, and the most that it must have room for."""

from calculators.declare import formulas_of, step
from calculators.subjects.storage.data_lifecycle.estate import Plan
from calculators.subjects.storage.data_lifecycle.streams import COLD, HOT, LOCAL, WARM, Estate


@step("B", "Data stored today", rises_with=("raw_data", "logs_per_day"))
def stored_now(estate: Estate) -> float:
    """Bytes on all tiers at month 0, with replicas and backups [B]."""
    return sum(tier[0] for tier in estate.held)


@step("B", "Data stored at the end", rises_with=("ingest_growth",))
def stored_at_end(estate: Estate) -> float:
    """Bytes on all tiers in the last month, with replicas and backups [B]."""
    return sum(tier[-1] for tier in estate.held)


@step("B", "Local NVMe: most needed", rises_with=("staged_share",))
def local_peak(plan: Plan) -> float:
    """The most on the GPU nodes' own drives [B]."""
    return plan.at(LOCAL)


@step("B", "Hot tier: most needed", rises_with=("scratch_factor", "hot_checkpoints"))
def hot_peak(plan: Plan) -> float:
    """The most that the hot tier needs room for, scratch included [B]."""
    return plan.at(HOT)


@step("B", "Warm tier: most needed", rises_with=("recall_staged", "logs_per_day"))
def warm_peak(plan: Plan) -> float:
    """The most that the warm tier needs room for, recalled data included [B]."""
    return plan.at(WARM)


@step("B", "Cold tier: most needed", rises_with=("backup_copies", "cold_checkpoints"))
def cold_peak(plan: Plan) -> float:
    """The most that the cold tier holds [B]."""
    return plan.at(COLD)


@step("month", "Hot tier: month of the peak")
def hot_peak_month(plan: Plan) -> float:
    """The first month of the hot tier's peak [s]."""
    return plan.at_month(HOT)


@step("month", "Warm tier: month of the peak")
def warm_peak_month(plan: Plan) -> float:
    """The first month of the warm tier's peak [s]."""
    return plan.at_month(WARM)


@step("month", "Cold tier: month of the peak")
def cold_peak_month(plan: Plan) -> float:
    """The first month of the cold tier's peak [s]."""
    return plan.at_month(COLD)


@step("B", "Local NVMe: stored")
def local_held(estate: Estate, month_number: float) -> float:
    """Bytes on the GPU nodes' own drives in the month shown [B]."""
    return estate.held[LOCAL][int(month_number)]


@step("B", "Hot tier: stored")
def hot_held(estate: Estate, month_number: float) -> float:
    """Bytes on the hot tier in the month shown, without scratch [B]."""
    return estate.held[HOT][int(month_number)]


@step("B", "Warm tier: stored")
def warm_held(estate: Estate, month_number: float) -> float:
    """Bytes on the warm tier in the month shown, without recalled data [B]."""
    return estate.held[WARM][int(month_number)]


@step("B", "Cold tier: stored")
def cold_held(estate: Estate, month_number: float) -> float:
    """Bytes on the cold tier in the month shown, with backups [B]."""
    return estate.held[COLD][int(month_number)]


@step("B", "Scratch on the hot tier", rises_with=("scratch_factor",))
def scratch_space(plan: Plan, month_number: float) -> float:
    """Working space of preparation in the month shown [B]."""
    return plan.scratch_at(month_number)


@step("B", "Raw data on the hot tier")
def raw_hot(estate: Estate, month_number: float) -> float:
    """Raw data before triage in the month shown, one copy [B]."""
    return estate.raw_on(HOT)[int(month_number)]


@step("B", "Raw data on the warm tier", rises_with=("cold_after",))
def raw_warm(estate: Estate, month_number: float) -> float:
    """Raw data on the warm tier in the month shown, one copy [B]."""
    return estate.raw_on(WARM)[int(month_number)]


@step("B", "Raw data on the cold tier", falls_with=("cold_after",))
def raw_cold(estate: Estate, month_number: float) -> float:
    """Raw data on the cold tier in the month shown, one copy [B]."""
    return estate.raw_on(COLD)[int(month_number)]


@step("B", "Warm tier: everything else")
def warm_rest(warm_held: float, raw_warm: float) -> float:
    """Data on the warm tier besides one copy of raw data [B]: checkpoints, versions, logs, replicas."""
    return max(0, warm_held - raw_warm)


@step("B", "Cold tier: backups, the rest")
def cold_rest(cold_held: float, raw_cold: float) -> float:
    """Data on the cold tier besides one copy of raw data [B]: backups, models, checkpoints, archives."""
    return max(0, cold_held - raw_cold)


@step("B", "Recalled data on the warm tier", rises_with=("recall_staged",))
def recall_space(raw_cold: float, recall_staged: float, reread_share: float) -> float:
    """Room on the warm tier for raw data that is recalled from the cold one [B]."""
    return recall_staged * reread_share * raw_cold


FORMULAS = formulas_of(globals())
