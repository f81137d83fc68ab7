"""Data lifecycle: data by tier and month, what moves between tiers, what it costs, and what runs short first."""

from collections.abc import Mapping
from typing import Any

from calculators import facts
from calculators.declare import Calculator, Preset
from calculators.declare.pictures import Bars, bar
from calculators.subjects.storage.data_lifecycle import (
    band,
    bill,
    estate,
    limits,
    media,
    placement,
    rates,
    restores,
    stocks,
    verdicts,
    warnings,
)
from calculators.subjects.storage.data_lifecycle.cost_lines import COST_LINES
from calculators.subjects.storage.data_lifecycle.inputs import ESTATE, GROUPS, Inputs
from calculators.subjects.storage.data_lifecycle.recommendations import recommendations
from calculators.subjects.storage.data_lifecycle.tables import (
    BILL,
    BREAK_EVEN,
    CONVENTIONS,
    KINDS,
    MONTHS,
    PLACEMENTS,
    PURCHASES,
)

_ESTATES = tuple(facts.records("estates").values())
_FILLED = tuple(dict.fromkeys(name for estate in _ESTATES for name in estate.fields))
_ON_QLC = ("estate-driving",)  # raw data lands on flash that is bought for capacity


def _completed(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """An estate's own medium of the hot tier, unless another is given."""
    if given.get("estate") in _ON_QLC and "hot_medium" not in given:
        return {**given, "hot_medium": "medium-qlc-object"}
    return given


CALCULATOR = Calculator(
    name="data_lifecycle",
    title="Data lifecycle",
    question="How much data is on each tier month by month, what does it cost, and what runs short first?",
    answer=(
        "{stored_now} today become {stored_at_end} in {last_month}: at most {hot_peak} hot, {warm_peak} warm "
        "and {cold_peak} cold. In the month shown {moved_to_cold} go cold and {deleted} are deleted. "
        "Cost: **{bill_total}** ({bill_at_half_growth} at half the growth, {bill_at_more_growth} at 1.5 times), "
        "{bill_per_tb_month}. Runs short first: **{limits_first}**."
    ),
    inputs_type=Inputs,
    formulas=(
        *estate.FORMULAS,
        *stocks.FORMULAS,
        *rates.FORMULAS,
        *restores.FORMULAS,
        *bill.FORMULAS,
        *band.FORMULAS,
        *placement.FORMULAS,
        *limits.FORMULAS,
        *verdicts.FORMULAS,
        *warnings.FORMULAS,
    ),
    headline=(
        "bill_total",
        "stored_at_end",
        "limits_first",
        "stored_now",
        "hot_peak",
        "warm_peak",
        "cold_peak",
        "runs_out",
        "moved_to_cold",
        "deleted",
        "hot_read_rate",
        "cold_read_rate",
        "cold_restore_time",
        "bill_per_tb_month",
        "break_even_reads",
        "storage_power",
        "cheapest_bill",
    ),
    first_sliders=("ingest", "ingest_growth", "cold_after", "growth_years", "shown_month"),
    presets=(
        *(media.preset(tier) for tier in media.FIELDS),
        Preset(
            name="estate",
            label="Example estate",
            records=_ESTATES,
            fills={name: name for name in _FILLED},
            secondary=_FILLED,
            group=ESTATE,
            none="Defaults (enter values below)",
        ),
    ),
    groups=GROUPS,
    assumptions=(
        "Age alone decides where data is. Versions, checkpoints and logs arrive evenly; a month is 1/12 of a year.",
        "Checkpoints, versions, caches and logs are a count times a size, and have run before month 0.",
        "Rates are averages of a month. Bursts are in Checkpoint, Storage demand and Data loading.",
        "Capacity is bought for the peak of each year, or at once where it is given.",
        "Flash and disk prices are of January 2026, tape of February, rents list prices of 2026.",
        "Flash became 3.6 times as expensive within three quarters: ask for prices every quarter.",
        "The range is for growth at half and at one and a half times; the ranges of prices come on top.",
        "Weakest inputs: drives ÷ system price, QLC price, tape drive price, scratch, shares read and recalled.",
        "A retention rule that nothing runs deletes nothing: measure what leaves.",
    ),
    omits=(
        "Metadata, snapshots, versions in backups, write amplification and the overhead of small files.",
        "Labor of migration, software licenses, tax, and copies of a medium to its successor.",
        "A cache instead of moves: add the cached bytes to the tier below.",
        "Deletion that must be proven, and encryption.",
    ),
    tables=(MONTHS, KINDS, BILL, PURCHASES, PLACEMENTS, BREAK_EVEN, CONVENTIONS),
    cost_lines=COST_LINES,
    recommendations=recommendations,
    recommendations_heading="Recommendations: what to delete, move or order",
    completes=_completed,
    picture=Bars(
        title="Data by tier in the month shown",
        rows=(
            bar("GPU nodes", local_held="cache"),
            bar("Hot", hot_held="work", scratch_space="free"),
            bar("Warm", raw_warm="weights", warm_rest="other", recall_space="free"),
            bar("Cold", raw_cold="optimizer", cold_rest="stall"),
        ),
    ),
)
