"""Tables of post-training: rivals, splits, staleness, placement, memory, weight transports, demands, conventions."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from calculators import facts, units
from calculators.declare import NOT_CHECKED, Table

_TRANSPORTS = tuple(
    facts.all_records()[f"sync-{name}"]
    for name in ("checkpoint-engine", "nccl-broadcast", "rdma-lmsys", "rdma-perplexity")
)
_SPLITS = 8
_STALENESS = ((0.0, "none"), (1.0, "one"), (2.0, "two"), (4.0, "four"), (8.0, "eight"))
_SCORES = facts.all_records()["areal-staleness"]
_PLACED = (
    ("Apart, one step of staleness", {"placement": "apart", "max_staleness": 1.0, "late_samples": "carried"}),
    ("Apart, the batch waited for", {"placement": "apart", "max_staleness": 1.0, "late_samples": "waited"}),
    ("Apart, on policy", {"placement": "apart", "max_staleness": 0.0, "late_samples": "waited"}),
    ("Colocated, on policy", {"placement": "colocated", "max_staleness": 0.0, "late_samples": "waited"}),
    ("Colocated, answers carried over", {"placement": "colocated", "max_staleness": 1.0, "late_samples": "carried"}),
)
_SHOWN = (
    *("rl_step_time", "rl_bottleneck", "trainer_wait_share", "rollout_wait_share", "rl_total_cost", "trainer_gpus"),
    *("drain_share", "best_step_time", "rl_memory_use"),
)
_OFF = ("off with DPO", "", "", "", "")
Trying = Callable[[Mapping[str, Any], Iterable[str], Iterable[str]], Callable[[Mapping[str, Any]], Mapping[str, Any]]]


def _cells(found: Mapping[str, Any]) -> tuple[str, ...]:
    if found["rl_memory_use"] > 1:
        return "trainer does not fit", "", "", "", ""
    if found["rl_bottleneck"].word == NOT_CHECKED:
        return "engines do not fit", "", "", "", ""
    return (
        units.text(found["rl_step_time"], "s"),
        found["rl_bottleneck"].word,
        units.text(found["trainer_wait_share"], "share"),
        units.text(found["rollout_wait_share"], "share"),
        units.text(found["rl_total_cost"], "USD"),
    )


def _rivals(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Step time if each rival alone set it."""
    yield (
        "Trainer",
        "{trainer_cycle}",
        "log-probabilities {logprob_time}, update {update_time}, weights {weight_sync_time}",
    )
    yield "Rollout engines", "{rollout_rival}", "{rollout_copies}, {sequences_per_engine} of {rollout_slots} in each"
    yield "Verifiers", "{verifier_rival}", "{verifier_pool}, {verifier_time} per sample"
    yield "Longest answer", "{longest_answer_rival}", "{longest_expected} at {rollout_tpot} each"
    word = values["rl_bottleneck"].word
    yield "The step", "{rl_step_time}", word if word == NOT_CHECKED else f"limited by {word}"


RIVALS = Table(
    name="rivals",
    title="What decides the step",
    about="Each rival as if it alone decided. Apart, the largest is the step; where trainer and engines take turns, "
    "their times add up.",
    columns=("Rival", "Step", "Made of"),
    rows=_rivals,
)


def splits(trials: Trying) -> Table:
    """Table of the job with other splits of its GPUs; `trials` are the calculator's own."""

    def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
        group, ranks, gpus = values["train_group"], values["serving_tensor_parallel"], values["gpus"]
        after = trials(values, ("train_gpus",), _SHOWN)
        one_pool = values["algorithm"] == "dpo" or values["placement"] == "colocated"
        whole = max(1, int((gpus - ranks) // group))
        for place in range(1, _SPLITS + 1):
            groups = max(1, round(place * whole / _SPLITS)) if whole > _SPLITS else place
            train = groups * group
            if one_pool or train + ranks > gpus:
                yield ("one pool" if one_pool else "no more", "", "", "", "", "")
                continue
            step, *others = _cells(after({"train_gpus": train}))
            mark = " (best)" if train == values["best_train_gpus"] and any(others) else ""
            yield (units.text(train, "GPU") + mark, step, *others)

    return Table(
        name="splits",
        title="Splits compared",
        about="GPUs for training in whole training replicas; the rest generates.",
        columns=("GPUs that train", "Step", "Limited by", "Trainer waits", "Engines wait", "Cost of the run"),
        rows=rows,
    )


def staleness(trials: Trying) -> Table:
    """Table of the job with other staleness, each at its best split; `trials` are the calculator's own."""

    def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
        after = trials(values, ("max_staleness", "train_gpus"), (*_SHOWN, "best_train_gpus"))
        for allowed, score in _STALENESS:
            one_pool = values["algorithm"] == "dpo" or values["placement"] == "colocated"
            scored = f"{_SCORES.value(score):.1f}"
            if one_pool:
                off = _OFF if values["algorithm"] == "dpo" else ("one pool", *_OFF[1:])
                yield (units.text(allowed, "1"), "", *off, scored)
                continue
            best = after({"max_staleness": allowed, "train_gpus": values["train_gpus"]})["best_train_gpus"]
            found = after({"max_staleness": allowed, "train_gpus": best})
            yield (units.text(allowed, "1"), units.text(best, "GPU"), *_cells(found), scored)

    return Table(
        name="staleness",
        title="Staleness compared",
        about="Each at its best split. The last column is AReaL's AIME24 score of a 1.5B model with a decoupled "
        "objective, for orientation: without staleness 42.0, unbounded 36.9. With plain PPO it fell to 40.0 at 2 steps "
        "and 23.3 at 4.",
        columns=(
            *("Staleness allowed", "GPUs that train", "Step", "Limited by", "Trainer waits", "Engines wait"),
            *("Cost of the run", "AIME24 (AReaL)"),
        ),
        rows=rows,
    )


def placements(trials: Trying) -> Table:
    """Table of the job apart and colocated; `trials` are the calculator's own."""

    def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
        moved = ("placement", "max_staleness", "late_samples", "train_gpus")
        after = trials(values, moved, (*_SHOWN, "best_train_gpus"))
        for label, changes in _PLACED:
            if values["algorithm"] == "dpo":
                yield (label, *_OFF, "")
                continue
            best = after({**changes, "train_gpus": values["train_gpus"]})["best_train_gpus"]
            found = after({**changes, "train_gpus": best})
            step, *others = _cells(found)
            yield (label, step, *others, units.text(found["drain_share"], "share") if any(others) else "")

    return Table(
        name="placements",
        title="Apart and colocated compared",
        about="Apart at the best split. Colocated, neither pool waits; engines that drain leave GPUs idle.",
        columns=(
            *("Placement", "Step", "Limited by", "Trainer waits", "Engines wait", "Cost of the run"),
            "Idle in draining engines",
        ),
        rows=rows,
    )


def _memory(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Memory of a training GPU by phase."""
    shared = values["shared_memory"]
    engine = units.text(shared.engine, "B", binary=True) if shared.engine else "on other GPUs"
    states = "offloaded" if shared.offloaded else "{rl_state_memory}"
    frozen = "offloaded" if shared.offloaded else "{rl_frozen_memory}"
    asleep = "asleep" if shared.engine and shared.sleeps else engine
    yield "Weights, gradients, optimizer", states, "{rl_state_memory}"
    yield "Reference and reward model", frozen, "{rl_frozen_memory}"
    yield "Logits and stored activations", "", "{rl_activation_memory}"
    yield "Rollout engine", engine, asleep
    yield "All, with 2 GB besides", "{generating_memory}", "{training_phase_memory}"
    yield "Of the GPU's", "{gpu_memory}", "{gpu_memory}"


MEMORY = Table(
    name="memory",
    title="Memory of a training GPU by phase",
    about="Sharded over all training GPUs, full recomputation, logits in bf16 and fp32 with their gradient. "
    "Of eight published verdicts (seven threads, most of them failures) six agree. Training memory counts the same job "
    "with its own layout.",
    columns=("Part", "While engines generate", "While the trainer works"),
    rows=_memory,
)


def _transports(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Seconds of each published transport for these weights."""
    for record in _TRANSPORTS:
        rate, fixed = record.value("sync_bandwidth"), record.value("sync_fixed")
        time = values["weights_sent"] / rate + fixed
        printed = record.fields["sync_bandwidth"].where
        yield record.name, units.text(rate, "B/s"), units.text(fixed, "s"), units.text(time, "s"), printed
    yield "This one", "{sync_bandwidth}", "{sync_fixed}", "{weight_sync_time}", "as set"


TRANSPORTS = Table(
    name="transports",
    title="Weight transports compared",
    about="Published transfers, for the present weights. One bandwidth does not describe a transport: its layout "
    "decides, and measured times differ by half from these.",
    columns=("Transport", "Bandwidth", "Fixed", "These weights", "Published"),
    rows=_transports,
)


def _demands(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Demands of the job on other parts of a system."""
    del values
    yield "Sandboxes in use", "{sandboxes_in_use}", "{sandbox_cores}, {sandbox_memory}; {sandbox_cost} in all"
    yield "Verifiers", "{verifier_cores_needed}", "of {verifier_pool}"
    yield "Rollouts retained", "{rollouts_stored_per_day}", "{rollout_bytes_per_step} per step"
    yield "Weights sent", "{weights_sent_per_day}", "{weights_sent} per step, each counted once"
    yield "Checkpoints", "{checkpoints_written_per_day}", "{rl_checkpoint_size} every {rl_checkpoint_interval}"
    yield (
        "Power: share of time that GPUs work",
        "{rollout_tokens_per_second_per_gpu} per rollout GPU",
        ("trainer waits {trainer_wait_share}, engines {rollout_wait_share}"),
    )


DEMANDS = Table(
    name="demands",
    title="Demands on other parts of the system",
    about="For checkpoint, storage, fabric, power and CPU nodes.",
    columns=("Part", "Demand", "Made of"),
    rows=_demands,
)


def _conventions(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each convention, who uses it, and what it makes of these values."""
    updates = values["updates_per_step"]
    step, gpus = values["rl_step_time"], values["paid_gpus"]
    yield "A step is one batch of prompts", "NeMo RL, AReaL, this page", "{rl_step_time}"
    yield (
        "A step is one optimizer update",
        "verl's fully asynchronous table: never compare with the above",
        units.text(step / updates, "s"),
    )
    yield (
        "Staleness in steps, or as a share of extra samples",
        "AReaL, NeMo RL and this page; verl (`staleness_threshold`)",
        f"{{max_staleness}}, or {units.text(values['max_staleness'], 'share')} of a batch",
    )
    yield "Tokens/s per GPU with prompts", "NeMo RL", "{trained_tokens_per_second_per_gpu}"
    answers = values["samples_per_step"] * values["output_tokens"] / step / gpus
    yield "Tokens/s per GPU, answers only", "most others", units.text(answers, "token/s")
    yield "Tokens/s per rollout GPU", "engines", "{rollout_tokens_per_second_per_gpu}"
    yield (
        "Staleness harmless up to",
        "AReaL 4 with a decoupled objective, verl less than 1",
        "{mean_staleness} in the mean",
    )


CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="What each way of counting makes of the present numbers.",
    columns=("Way of counting", "Who uses it", "Result for this job"),
    rows=_conventions,
)
