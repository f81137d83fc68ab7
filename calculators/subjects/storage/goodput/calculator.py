"""Goodput: share of time left after failures, restarts and checkpoints, exactly, and the best checkpoint interval."""

import dataclasses

from calculators import facts
from calculators.declare import Calculator, Preset, RunReader
from calculators.declare.pictures import Bars, bar
from calculators.subjects.storage.goodput import approximations, renewal, spares, tiers, variants, verdicts, warnings
from calculators.subjects.storage.goodput.failures import failures_per_day, mtbf
from calculators.subjects.storage.goodput.inputs import GROUPS, Inputs, typical_persist_every, typical_time_to_safe
from calculators.subjects.storage.goodput.recommendations import recommendations
from calculators.subjects.storage.goodput.tables import CONVENTIONS
from calculators.vocabulary.groups import MACHINE

_RECORDS = (
    *("gpu-mtbf", "mtbf-rsc1", "mtbf-rsc1-jobs", "mtbf-rsc2", "mtbf-opt", "mtbf-bloom"),
    "mlcommons-illustrative-mtbf",
)
_NODE_SHARE = "node_failure_share"
_PRESENT = ("goodput", "stalled_share", "lost_share", "down_share", "rest_share")


def _with_node_share(record: facts.Record) -> facts.Record:
    """The record of a failure rate with the share of these failures that need a node replaced, where it is known."""
    related = {field: facts.fact(key) for field, key in record.related.items()}
    return dataclasses.replace(record, fields={**record.fields, **related})


CALCULATOR = Calculator(
    name="goodput",
    title="Goodput and checkpoint interval",
    question="What share of the time becomes lasting training progress, and how often should the job checkpoint?",
    answer=(
        "A job on {gpus} sees a failure every {mtbf}. With a checkpoint every {interval} goodput is **{goodput}**: "
        "{down_share} of the time goes to detection and restart, {lost_share} to recomputed work, {stalled_share} to "
        "checkpoint stalls and {rest_share} to waits for nodes, planned stops and silent corruption, in all the "
        "equivalent of {gpus_lost} idle. "
        "One minute less of recovery adds {minute_worth}."
    ),
    inputs_type=Inputs,
    formulas=(
        mtbf,
        failures_per_day,
        typical_time_to_safe,
        typical_persist_every,
        *renewal.FORMULAS,
        *tiers.FORMULAS,
        *spares.FORMULAS,
        *approximations.FORMULAS,
        *variants.FORMULAS,
        *verdicts.FORMULAS,
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
            label="Failure rate as measured on",
            records=tuple(_with_node_share(facts.all_records()[key]) for key in _RECORDS),
            fills={"gpu_mtbf": "value", _NODE_SHARE: _NODE_SHARE},
            secondary=(_NODE_SHARE,),
            default="gpu-mtbf",
            group=MACHINE,
        ),
    ),
    groups=GROUPS,
    assumptions=(
        "One synchronous job: any failure stops all GPUs, and all restart from the newest restorable checkpoint.",
        "Failures are random at a constant rate, also during checkpoints, restarts and loads.",
        "Until a failure is detected, no further failure counts.",
        "One checkpoint is written at a time; the next begins when it is restorable.",
        "Node repairs overlap, and a job that waits for a node does not fail.",
    ),
    omits=(
        "Slow steps, evaluation, warm-up and the queue before the first start: goodput is not MFU.",
        "Training that continues without the failed part: set the restart time that remains.",
        "The first weeks of a new cluster, in which failures are more frequent.",
        "Correlated failures, such as a switch or a power feed: each counts as one, with two tiers as a rare one.",
    ),
    result_aliases={"usual_time_to_safe": "typical_time_to_safe", "usual_durable_every": "typical_persist_every"},
    tables=(CONVENTIONS,),
    run_reader=RunReader(
        title="Your own job or cluster",
        about="Where the time of your job went, its goodput by every definition next to the forecast above, or how "
        "often nodes of your cluster failed. Nothing leaves this page.",
        formats="events of a job (time,event), or sacct --parsable2 of a job or of a whole cluster",
        module="calculators.subjects.storage.goodput.measured_run",
    ),
    recommendations=recommendations,
    recommendations_heading="Recommendations: higher goodput",
    picture=Bars(
        title="Time by activity",
        rows=(
            bar(
                "present interval",
                goodput="work",
                stalled_share="stall",
                lost_share="other",
                down_share="free",
                rest_share="write",
            ),
            bar(
                "best interval",
                goodput_at_best="work",
                stalled_at_best="stall",
                lost_at_best="other",
                down_at_best="free",
                rest_at_best="write",
            ),
            bar(
                "2× the GPUs",
                goodput_on_twice="work",
                stalled_on_twice="stall",
                lost_on_twice="other",
                down_on_twice="free",
                rest_on_twice="write",
            ),
            bar(
                "8× the GPUs",
                goodput_on_eight="work",
                stalled_on_eight="stall",
                lost_on_eight="other",
                down_on_eight="free",
                rest_on_eight="write",
            ),
        ),
        limit="good_goodput",
        limit_label="good from here",
        reached=True,
        listed=_PRESENT,
    ),
)
