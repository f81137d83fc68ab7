"""Verdicts: capacity, restore, what is really cold, preparation, copies; and what runs short first."""

from calculators.declare import Verdict, formulas_of, verdict
from calculators.subjects.storage.data_lifecycle.limits import RECALL, RESTORE, Limit
from calculators.subjects.storage.data_lifecycle.media import Medium
from calculators.subjects.storage.data_lifecycle.streams import Estate

_COPIES = 3  # of the rule 3-2-1
_TIGHT, _BAD = 1 / 4, 1 / 2  # of the time between versions
_SAME = 1e-9


def _first_month(limits: tuple[Limit, ...], *names: str) -> int | None:
    return next((limit.month for limit in limits if limit.name in names), None)


@verdict("Capacity bought", good="", tight="hot_bought=300TB", bad="hot_bought=200TB")
def capacity(
    hot_bought: float | None,
    warm_bought: float | None,
    cold_bought: float | None,
    hot_runs_out: float | None,
    warm_runs_out: float | None,
    cold_runs_out: float | None,
    runs_out: float | None,
    order_lead: float,
) -> Verdict:
    """Whether what was bought lasts, and whether an order placed today still comes in time."""
    if hot_bought is None and warm_bought is None and cold_bought is None:
        return Verdict(
            level="good", word="bought as needed", reason="No capacity is given: every tier grows with its data."
        )
    if runs_out is None:
        return Verdict(level="good", word="OK", reason="What was bought lasts for {last_month}.")
    full = {"Hot": hot_runs_out, "Warm": warm_runs_out, "Cold": cold_runs_out}
    tier = next(name for name, month in full.items() if month == runs_out)
    if runs_out > order_lead * (1 + _SAME):
        reason = f"{tier} tier full in {{runs_out}}; an order takes {{order_lead}}."
        return Verdict(level="tight", word="order in time", reason=reason)
    reason = f"{tier} tier full in {{runs_out}}; an order placed today takes {{order_lead}}."
    return Verdict(level="bad", word="too late to order", reason=reason)


@verdict(
    "Restore from the cold tier",
    good="tape_drives=6",
    tight="",
    bad="tape_drives=2",
)
def restored(
    cold_restore_time: float,
    cold_restore_window: float,
    recall_time: float,
    recall_window: float,
    tape_drives_needed: float | None,
    limits: tuple[Limit, ...],
) -> Verdict:
    """Whether a restore from the cold tier, and the recall of raw data for a version, end within their windows."""
    used = max(cold_restore_time / cold_restore_window, recall_time / recall_window)
    takes = "Restore: {cold_restore_time} of {cold_restore_window}. Recall: {recall_time} of {recall_window}."
    if used <= 1 + _SAME and (month := _first_month(limits, RECALL, RESTORE)):
        return Verdict(level="tight", word="too slow in another month", reason=f"{takes} Too slow in month {month}.")
    if used <= 1 / 2:
        return Verdict(level="good", word="OK", reason=takes)
    if used <= 1 + _SAME:
        return Verdict(level="tight", word="tight", reason=takes)
    needed = " It needs {tape_drives_needed}." if tape_drives_needed else " It needs a faster cold tier."
    return Verdict(level="bad", word="too slow", reason=takes + needed)


@verdict(
    "Cold data",
    good="",
    tight="version_interval=0.6months",
    bad="version_interval=0.4months",
)
def cold_enough(
    raw_cold: float,
    cold_reads: float,
    break_even_reads: float,
    recall_staged: float,
    reread_share: float,
    staged_break_even: float,
) -> Verdict:
    """Whether data on the cold tier is read so rarely that it costs less there than on the warm tier.

    Recalled data that is staged fills the warm tier as if it had never gone cold.
    """
    if raw_cold and recall_staged * reread_share > staged_break_even:
        return Verdict(
            level="bad",
            word="staged too much",
            reason="Each version reads {recalled} a month from the cold tier and needs room for it on the warm tier: "
            "kept warm it would cost less.",
        )
    if not raw_cold or cold_reads < break_even_reads / 2:
        return Verdict(
            level="good", word="OK", reason="Read {cold_reads}; on the warm tier it pays from {break_even_reads}."
        )
    if cold_reads <= break_even_reads:
        return Verdict(
            level="tight",
            word="nearly too warm",
            reason="Read {cold_reads}; the warm tier pays from {break_even_reads}.",
        )
    return Verdict(
        level="bad",
        word="not cold",
        reason="Read {cold_reads}, above {break_even_reads}: recalls cost more than the warm tier.",
    )


@verdict("Preparation", good="", tight="prep_cores=200", bad="prep_cores=100")
def prepared_in_time(prep_time: float, version_interval: float, limits: tuple[Limit, ...]) -> Verdict:
    """Whether a new version is ready long before the next one is due, in the month shown and in every other."""
    reason = "A version takes {prep_time} on {prep_cores}; a new one is due every {version_interval}."
    if prep_time <= version_interval * _BAD and (month := _first_month(limits, "preparation")):
        return Verdict(level="tight", word="too slow in another month", reason=f"{reason} Too slow in month {month}.")
    if prep_time <= version_interval * _TIGHT:
        return Verdict(level="good", word="OK", reason=reason)
    if prep_time <= version_interval * _BAD:
        return Verdict(level="tight", word="tight", reason=reason)
    return Verdict(level="bad", word="too slow", reason=reason)


@verdict("Copies (3-2-1)", good="replica_sites=1", tight="", bad="backup_copies=0")
def copies(
    replica_sites: float,
    backup_copies: float,
    backup_offsite: bool,  # noqa: FBT001  formulas are wired by position
    warm_tier: Medium,
    cold_tier: Medium,
    estate: Estate,
) -> Verdict:
    """Whether what cannot be made again has three copies, on two media, one of them away."""
    if not any(stream.irreplaceable for stream in estate.streams):
        return Verdict(level="good", word="not needed", reason="Nothing here is irreplaceable.")
    if not replica_sites and not backup_copies:
        return Verdict(level="bad", word="one copy", reason="What cannot be made again is in one copy.")
    kept = {
        "three copies": 1 + replica_sites + backup_copies >= _COPIES,
        "a second medium": backup_copies >= 1 and cold_tier != warm_tier,
        "a copy off site": replica_sites >= 1 or (backup_copies >= 1 and backup_offsite),
    }
    missing = [name for name, there in kept.items() if not there]
    listed = " and ".join(missing)
    if not missing:
        return Verdict(level="good", word="OK", reason="Three copies, two media, one off site.")
    return Verdict(
        level="tight" if len(missing) == 1 else "bad",
        word="incomplete",
        reason=f"Missing: {listed}.",
    )


@verdict("Runs short first", good="", tight="hot_bought=300TB", bad="hot_bought=200TB")
def limits_first(limits: tuple[Limit, ...], order_lead: float, calendar_month: float) -> Verdict:
    """Resource that runs short first within the plan: capacity bought, bandwidth, preparation or recall."""
    if not limits:
        reason = "No tier, bandwidth, preparation, recall or restore runs short in {last_month}."
        return Verdict(level="good", word="nothing", reason=reason)
    first = limits[0]
    late = first.month * calendar_month <= order_lead * (1 + _SAME)
    others = f", then {limits[1].name} in month {limits[1].month}" if limits[1:] else ""
    return Verdict(
        level="bad" if late else "tight",
        word=first.name,
        reason=f"{first.name.capitalize()} in month {first.month}{others}.",
    )


FORMULAS = formulas_of(globals())
