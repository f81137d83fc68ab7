"""Constraints and warnings: ages that contradict each other, fees, copies, prices and growth beyond what holds."""

from calculators import facts, units
from calculators.declare import constraint, formulas_of, warning
from calculators.subjects.storage.data_lifecycle.media import Medium
from calculators.subjects.storage.data_lifecycle.streams import COLD, WARM, Estate

_SMALL_OBJECT = float(facts.fact("small-object").value)
_FAST, _LONG, _PRICED = 1, 3, 5  # growth a year, and years
_HALF = 1 / 2
_NAMES = {"raw": "Raw data", "prepared": "Versions of prepared data", "checkpoints": "Checkpoints", "logs": "Logs"}


@constraint("hot_landing", speaks="hot_landing=3months&cold_after=2months", silent="hot_landing=2months")
def lands_before_cold(hot_landing: float, cold_after: float) -> str:
    """Raw data that would go cold while it lands."""
    if hot_landing <= cold_after:
        return ""
    return (
        "Raw data cannot go cold after {cold_after} while it lands hot for {hot_landing}: let it land for less time, "
        "or go cold later"
    )


@constraint("kept_for", speaks="kept_for=1y", silent="kept_for=2y")
def kept_until_cold(kept_for: float, cold_after: float) -> str:
    """Raw data that would be deleted before it goes cold."""
    if kept_for >= cold_after:
        return ""
    return (
        "Raw data retained for {kept_for} is deleted before it goes cold after {cold_after}: retain it for longer, or "
        "let it go cold earlier"
    )


@constraint("raw_kept", speaks="raw_kept=10%", silent="raw_kept=10%&hot_landing=1months")
def triage_needs_landing(raw_kept: float, hot_landing: float) -> str:
    """Triage without a place for it."""
    if raw_kept == 1 or hot_landing > 0:
        return ""
    return "Triage needs a place to land: give the time that raw data lands hot, or keep 100%"


@constraint("kv_written", speaks="kv_kept=1TB", silent="kv_kept=1TB&kv_written=1GB/s")
def caches_are_written(kv_kept: float, kv_written: float) -> str:
    """KV caches that are kept and never written."""
    if not kv_kept or kv_written:
        return ""
    return "{kv_kept} of KV caches are retained, but nothing writes them: give their write rate"


@warning(
    speaks="cold_medium=medium-s3-deep-archive&object_size=100kB",
    silent="cold_medium=medium-s3-deep-archive",
)
def small_objects(object_size: float, warm_tier: Medium, cold_tier: Medium) -> str:
    """Small objects on a rented tier."""
    if object_size >= _SMALL_OBJECT or not (warm_tier.rented or cold_tier.rented):
        return ""
    return "At {object_size} per object, requests and transitions cost {fees_cost}: pack raw data into larger objects."


@warning(speaks="warm_medium=medium-s3-ia", silent="warm_medium=medium-s3-standard")
def leaves_early(estate: Estate, warm_tier: Medium, cold_tier: Medium) -> str:
    """Data that leaves a rented tier before the minimum stay that is billed."""
    tiers = {WARM: ("warm", warm_tier), COLD: ("cold", cold_tier)}
    early = [
        (_NAMES.get(stream.name, stream.name.capitalize()), name, stream.stays[tier], medium.least_stay)
        for tier, (name, medium) in tiers.items()
        for stream in estate.streams
        if medium.rented and 0 < stream.stays[tier] < medium.least_stay
    ]
    if not early:
        return ""
    what, where, stay, billed = early[0]
    return f"{what} leave the {where} tier after {units.text(stay, 's')} and are billed for {units.text(billed, 's')}."


@warning(speaks="replica_sites=1&backup_copies=0", silent="replica_sites=1")
def replica_is_no_backup(replica_sites: float, backup_copies: float) -> str:
    """A replica without a backup."""
    if not replica_sites or backup_copies:
        return ""
    return "A replica repeats a deletion within minutes: it is no backup."


@warning(speaks="scratch_factor=3", silent="")
def scratch_fills_hot(scratch_space: float, hot_peak: float) -> str:
    """A hot tier that is mostly scratch."""
    if scratch_space <= _HALF * hot_peak:
        return ""
    return "More than half of the hot tier is scratch: prepare in parts, or on the warm tier."


@warning(speaks="raw_data=10PB", silent="")
def older_than_kept(raw_data: float, ingest: float, kept_for: float) -> str:
    """More raw data today than arrives in the time for which it is kept."""
    if not ingest or raw_data <= ingest * kept_for:
        return ""
    age = units.text(raw_data / ingest, "year")
    return f"{{raw_data}} at {{ingest}} took {age} to arrive: what is older than {{kept_for}} counts as deleted."


@warning(speaks="ingest_growth=150%&growth_years=4", silent="ingest_growth=150%")
def grows_too_long(ingest_growth: float, growth_years: float) -> str:
    """Growth that no estate has kept up for long."""
    if ingest_growth <= _FAST or growth_years <= _LONG:
        return ""
    return (
        "No estate is known that grew by {ingest_growth} a year for {growth_years} years: a growth of 45% published "
        "for one archive would have overstated it 6 times after 11 years."
    )


@warning(speaks="growth_years=6", silent="growth_years=6&media_price_trend=10%")
def prices_held_too_long(growth_years: float, media_price_trend: float) -> str:
    """Today's media prices over many years."""
    if growth_years <= _PRICED or media_price_trend:
        return ""
    return "Media prices are those of today for {growth_years} years: give a change per year, up and down."


@warning(speaks="", silent="training_read=200GB/s")
def hot_is_read_rarely(hot_reads: float, hot_break_even_reads: float, hot_held: float) -> str:
    """A hot tier that is read too rarely to pay for its reads."""
    if not hot_held or hot_reads >= hot_break_even_reads:
        return ""
    return (
        "The hot tier is read {hot_reads}; below {hot_break_even_reads} its bytes cost less on the warm tier. Keep it "
        "for checkpoints and latency, not for reading."
    )


FORMULAS = formulas_of(globals())
