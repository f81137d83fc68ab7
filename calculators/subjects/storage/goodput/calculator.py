"""Goodput: what failures, restarts and saves leave of the time, exactly, and the interval that keeps most of it."""

from calculators import facts
from calculators.declare import Calculator, Preset
from calculators.declare.pictures import Bars, Row, Segment
from calculators.subjects.storage.goodput import approximations, fleet_events, renewal, spares, tiers, warnings
from calculators.subjects.storage.goodput.conventions import CONVENTIONS
from calculators.subjects.storage.goodput.failures import failures_per_day, mtbf
from calculators.subjects.storage.goodput.inputs import GROUPS, Inputs, usual_durable_every, usual_time_to_safe
from calculators.subjects.storage.goodput.recommendations import recommendations
from calculators.vocabulary.groups import MACHINE


def _row(label: str, kept: str, stalled: str, lost: str, down: str) -> Row:
    return Row(
        label=label,
        segments=(
            Segment(value=kept, tone="work"),
            Segment(value=stalled, tone="stall"),
            Segment(value=lost, tone="other"),
            Segment(value=down, tone="free"),
        ),
    )


_SITES = (
    *("gpu-mtbf", "mtbf-rsc1", "mtbf-rsc1-jobs", "mtbf-rsc2", "mtbf-opt", "mtbf-bloom"),
    "mlcommons-illustrative-mtbf",
)
_YOURS = ("goodput", "stalled_share", "lost_share", "down_share")

CALCULATOR = Calculator(
    name="goodput",
    title="Goodput and the interval between saves",
    question="How much of the time becomes training that stays, and how often should it save?",
    answer=(
        "With {gpus} something fails every {mtbf}. Saving every {interval}, **{goodput}** of the time is kept: "
        "{down_share} goes into noticing and restarting, {lost_share} into work done twice, "
        "{stalled_share} into waiting for saves, as if {gpus_lost} stood still. "
        "A minute less of recovery is worth {minute_worth}."
    ),
    inputs_type=Inputs,
    formulas=(
        mtbf,
        failures_per_day,
        usual_time_to_safe,
        usual_durable_every,
        *renewal.FORMULAS,
        *tiers.FORMULAS,
        *spares.FORMULAS,
        *approximations.FORMULAS,
        *fleet_events.FORMULAS,
        *warnings.FORMULAS,
    ),
    headline=(
        "goodput",
        "mtbf",
        "failures_per_day",
        "interval",
        "best_interval",
        "goodput_at_best",
        "down_share",
        "lost_share",
        "stalled_share",
        "gpus_lost",
        "minute_worth",
        "of_what_is_paid",
        "linear_goodput",
        "waiting_for_spare",
    ),
    first_sliders=("gpus", "checkpoint_interval", "checkpoint_stall", "detection_time"),
    presets=(
        Preset(
            name="failures_as",
            label="Failures as on",
            records=tuple(facts.all_records()[key] for key in _SITES),
            fills={"gpu_mtbf": "value"},
            default="gpu-mtbf",
            group=MACHINE,
        ),
    ),
    groups=GROUPS,
    assumptions=(
        "One synchronous job: any failure stops all GPUs, and all go back to the newest save that is safe.",
        "Failures come at random, at a constant rate, also while a job saves, restarts or loads.",
        "While a failure is not yet noticed, no other counts.",
        "One save is in flight at a time, and the next begins once it is safe.",
        "Repairs of nodes overlap freely, and a job that waits for a node does not fail.",
    ),
    omits=(
        "Slow steps, evaluation, warm-up and the queue before the first start: this is not MFU.",
        "Training that goes on without the part that failed: give the restart that remains.",
        "The first weeks of a new cluster, which fail more often.",
        "Failures in groups, such as a switch or a power feed: each counts as one, and as a rare one with two tiers.",
    ),
    tables=(CONVENTIONS,),
    recommendations=recommendations,
    recommendations_heading="What would keep more of it",
    picture=Bars(
        title="Where the time goes",
        rows=(
            _row("your interval", *_YOURS),
            _row("the best interval", "goodput_at_best", "stalled_at_best", "lost_at_best", "down_share"),
            _row("twice the GPUs", "goodput_on_twice", "stalled_on_twice", "lost_on_twice", "down_on_twice"),
            _row("eight times the GPUs", "goodput_on_eight", "stalled_on_eight", "lost_on_eight", "down_on_eight"),
        ),
        limit="good_goodput",
        limit_label="called good from here",
        reached=True,
        listed=_YOURS,
    ),
)
