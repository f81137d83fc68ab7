"""The layout in words: which was found among how many, and why the next one lost."""

from typing import Any

from calculators import units
from calculators.declare import Values
from calculators.machine.layout.found import Found, Layout
from calculators.machine.layout.space import NAMES
from calculators.machine.training_state import TrainingState

_SHORT = {
    "tensor_parallel": "tensor",
    "pipeline_parallel": "pipeline",
    "context_parallel": "context",
    "expert_parallel": "expert",
    "data_parallel": "data",
}
_SHARDED_GRADIENTS = 2  # ZeRO's stage
_SAME_BATCH = 1e-3
_GATHERED_ONCE = (
    "ZeRO-2 in a pipeline is FSDP without resharding after the forward pass, torchtitan's default there: weights stay "
    "gathered through a step; Megatron's distributed optimizer is ZeRO-1."
)
_GATHERED_AGAIN = (
    "ZeRO-3 in a pipeline gathers every layer again for each micro-batch: torchtitan turns that off by default "
    "(`fsdp_reshard_after_forward`), and memory is then that of ZeRO-2."
)
_COSTS = {
    "compute_time": "arithmetic",
    "bubble_time": "bubble",
    "exposed_tensor_time": "exposed tensor parallelism",
    "exposed_context_time": "exposed context parallelism",
    "exposed_expert_time": "exposed expert parallelism",
    "exposed_pipeline_time": "exposed pipeline transfers",
    "exposed_data_time": "exposed data parallelism",
}


def sentences(found: TrainingState) -> list[str]:
    """Sentences on how the layout was found, and what the runner-up does worse."""
    best, next_one, values = found.layout.best[0], _slower(found), found.values
    if not found.layout.fits:
        needs = units.text(best.memory, "B", binary=True)
        there = units.text(values["gpu_memory"], "B", binary=True)
        lightest = f"the one with the least memory, {_named(values, best)}, needs {needs} of {there}"
        return [f"None of {found.layout.space:,} layouts fits: {lightest}."]
    kept = f"; pinned: {', '.join(sorted(found.pinned))}" if found.pinned else ""
    counted = f"{found.layout.space:,}, {found.layout.tried:,} of them calculated{kept}"
    lines = [f"The layout is {_named(values, best)}: the fastest that fits of {counted}."]
    if next_one is not None:
        lines.append(_why(found, best, next_one))
    lines += [*_idle(found), *_batch(found), *_sharding(best)]
    if found.layout.tight is not None:
        lines.append(_tight(found, best, found.layout.tight))
    if found.published is not None:
        lines.append(_published(found, best, found.published))
    return lines


def _idle(found: TrainingState) -> list[str]:
    """The GPUs in use and those spare, where not all are in use."""
    gpus, used, spare = (
        found.calculator.text(name, found.values[name]) for name in ("gpus", "layout_gpus", "idle_gpus")
    )
    return [f"It uses {used.partition(' ')[0]} of {gpus}; {spare.partition(' ')[0]} spare."] if used != gpus else []


def _batch(found: TrainingState) -> list[str]:
    """Sentence on the share of the batch a step takes, where replicas do not get all of it in whole micro-batches."""
    step, batch = (found.values[name] for name in ("tokens_per_step", "batch_tokens"))
    if abs(step / batch - 1) < _SAME_BATCH:
        return []
    sequences = [units.text(one / found.values["sequence_length"], "sequence") for one in (step, batch)]
    return [f"A step takes {sequences[0].partition(' ')[0]} of the batch's {sequences[1]}, in whole micro-batches."]


def _sharding(best: Layout) -> list[str]:
    """Note on sharded gradients or weights in a pipeline, where the layout has both."""
    if best.pipeline_parallel == 1 or best.zero_stage < _SHARDED_GRADIENTS:
        return []
    if best.zero_stage == _SHARDED_GRADIENTS:
        return [_GATHERED_ONCE]
    return [_GATHERED_AGAIN]


def _tight(found: TrainingState, best: Layout, tight: Layout) -> str:
    """A faster layout that leaves less memory free than the margin."""
    needs, there = (units.text(one, "B", binary=True) for one in (tight.memory, found.values["gpu_memory"]))
    margin = found.calculator.text("memory_margin", found.values["memory_margin"])
    faster = units.text(1 - tight.time / best.time, "share")
    spoken = _named(found.calculator.after(found.values, tight.inputs, "data_parallel"), tight)
    return f"Tight: {spoken}, takes {faster} less time, with {needs} of {there}: less than {margin} free."


def of_published(found: TrainingState) -> list[str]:
    """The layout that is found where another was published, and how far that one is from it; nothing where none was."""
    return [] if found.published is None else [sentences(found)[0], sentences(found)[-1]]


def _published(found: TrainingState, best: Layout, published: Found) -> str:
    """Sentence comparing the published layout with the best one here."""
    layout = published.best[0]
    spoken = _named(found.calculator.after(found.values, layout.inputs, "data_parallel"), layout)
    if not published.fits:
        needs = units.text(layout.memory, "B", binary=True)
        return f"The published layout, {spoken}, does not fit by this calculation: it needs {needs}."
    if layout.time < best.time and layout.memory > found.values["memory_limit"] >= best.memory:
        faster = units.text(1 - layout.time / best.time, "share")
        return f"The published layout, {spoken}, takes {faster} less time and leaves less memory free than the margin."
    if layout.time <= best.time:
        return "It is the published layout, or as fast."
    slower = units.text(layout.time / best.time - 1, "share")
    return f"The published layout, {spoken}, takes {slower} longer: more {_grown(found, best, layout)}."


def described(found: TrainingState) -> dict[str, Any]:
    """Layout and runner-up as plain data."""
    other = _slower(found)
    return {
        "fits": found.layout.fits,
        "space": found.layout.space,
        "tried": found.layout.tried,
        "pinned": sorted(found.pinned),
        "idle_gpus": found.values["idle_gpus"],
        "chosen": found.layout.best[0].inputs,
        "runner_up": other.inputs if other else None,
        "said": sentences(found),
    }


def _slower(found: TrainingState) -> Layout | None:
    """The best layout that takes longer; those that take as long differ in memory alone."""
    first = found.layout.best[0]
    return next((one for one in found.layout.best[1:] if one.time > first.time), None)


def _why(found: TrainingState, best: Layout, other: Layout) -> str:
    """Reason why the runner-up is slower."""
    slower = units.text(other.time / best.time - 1, "share")
    spoken = _named(found.calculator.after(found.values, other.inputs, "data_parallel"), other)
    return f"The next best, {spoken}, takes {slower} longer: more {_grown(found, best, other)}."


def _grown(found: TrainingState, best: Layout, other: Layout) -> str:
    """The part of a step that grew most, for each token."""
    tried = found.calculator.trials(found.values, NAMES, (*_COSTS, "tokens_per_step"))
    here, there = (tried(one.inputs) for one in (best, other))
    grown = {name: there[name] / there["tokens_per_step"] - here[name] / here["tokens_per_step"] for name in _COSTS}
    return _COSTS[max(grown, key=lambda name: grown[name])]


def _named(values: Values, layout: Layout) -> str:
    degrees = {**layout.inputs, "data_parallel": values["data_parallel"]}
    messages = [f"{word} {degrees[name]:.0f}" for name, word in _SHORT.items() if degrees[name] > 1]
    kept = {"none": "no recomputation", "selective": "selective recomputation", "full": "full recomputation"}
    shards = degrees["data_parallel"] * degrees["context_parallel"]
    shared = f", ZeRO-{layout.zero_stage}" if layout.zero_stage and shards > 1 else ""
    groups = f", {layout.interleave:.0f} virtual pipeline stages per rank" if layout.interleave > 1 else ""
    messages = messages or ["one rank"]
    return f"{', '.join(messages)}, micro-batch {layout.micro_batch:.0f}{groups}{shared}, {kept[layout.recompute]}"
