"""Warnings of post-training: long waits, late answers, and states outside of what was checked."""

from calculators import facts
from calculators.declare import Verdict, formulas_of, warning
from calculators.subjects.post_training.post_training.formulas.lengths import Lengths
from calculators.subjects.post_training.post_training.formulas.loop import LONGEST, SANDBOXES, VERIFIERS, Outcome
from calculators.subjects.post_training.post_training.inputs.pools import LateSamples, Placement
from calculators.subjects.post_training.post_training.inputs.work import Algorithm
from calculators.subjects.post_training.post_training.verdicts import FEW_CUT, LONG_TRANSFER, LONG_WAIT

_PUBLISHED_STALENESS = 4  # up to which AReaL reports no loss
_RANKS = float(facts.fact("rl-engine-ranks").value)
_LARGE_MODEL, _SHORT_ANSWER = 300e9, 1500
_FEW_KEPT = 0.7
_AGENTS = "turns=20&tool_time=10&tool_tokens=300&max_staleness=4&train_gpus=64"


@warning(speaks="train_gpus=64", silent="train_gpus=32")
def trainer_waits(trainer_wait_share: float, trainer_gpus: float, best_train_gpus: float, pools_wait: Verdict) -> str:
    """A trainer that waits for more than a quarter of a step."""
    if pools_wait.level != "bad" or trainer_wait_share <= LONG_WAIT:
        return ""
    waits = "{trainer_gpus} idle {trainer_wait_share} of every step: "
    if trainer_gpus > best_train_gpus:
        return waits + "give GPUs to the rollout engines, or allow more staleness."
    return waits + (
        "no split in whole training replicas is faster; allow more staleness, shorter answers or smaller replicas."
    )


@warning(speaks="max_staleness=4&train_gpus=16", silent="train_gpus=64")
def engines_wait(
    placement: Placement, rollout_wait_share: float, trainer_gpus: float, best_train_gpus: float, pools_wait: Verdict
) -> str:
    """Engines that wait for more than a quarter of a step."""
    if placement == "colocated" or pools_wait.level != "bad" or rollout_wait_share <= LONG_WAIT:
        return ""
    waits = "The rollout engines wait {rollout_wait_share} of every step: "
    if trainer_gpus < best_train_gpus:
        return waits + "give GPUs to the trainer."
    return waits + "no split is faster; speed up what limits the step."


@warning(
    speaks="placement=colocated&late_samples=waited",
    silent="placement=colocated&late_samples=waited&prompts_per_step=2048&answer_tail=3",
)
def engines_drain(placement: Placement, drain_share: float) -> str:
    """Engines on shared GPUs that run few sequences for a long time."""
    if placement == "apart" or drain_share <= LONG_WAIT:
        return ""
    return (
        "Engines run below full load for {drain_share} of a step, waiting for the longest answers: larger batches, a "
        "lower limit or GPUs of their own help."
    )


@warning(speaks="", silent="output_tokens=4000")
def answers_are_cut(algorithm: Algorithm, truncated_share: float) -> str:
    """A limit that cuts more than a few answers."""
    if algorithm == "dpo" or truncated_share <= FEW_CUT:
        return ""
    return "{truncated_share} of the answers are cut at {longest_answer}: they cost a full answer and teach little."


@warning(speaks="late_samples=waited", silent="")
def longest_answer_decides(outcome: Outcome) -> str:
    """A step that waits for the longest answer of its batch."""
    if outcome.decided_by != LONGEST:
        return ""
    return (
        "The longest answer of {longest_expected} decides the step, not the number of GPUs: carry late answers over, "
        "lower the limit, or allow more staleness."
    )


@warning(speaks="train_gpus=64", silent="max_staleness=4&train_gpus=16")
def oldest_exceed_staleness(
    algorithm: Algorithm,
    placement: Placement,
    late_samples: LateSamples,
    max_staleness: float,
    longest_expected: float,
    rollout_tpot: float,
    rl_step_time: float,
) -> str:
    """Answers that take longer than the steps allowed, where late ones are carried over.

    In simulations the oldest was about two steps older still.
    """
    if algorithm == "dpo" or placement == "colocated" or late_samples != "carried" or not max_staleness:
        return ""
    if longest_expected * rollout_tpot <= (max_staleness + 1) * rl_step_time:
        return ""
    return (
        "A staleness of {max_staleness} bounds the mean; answers of {longest_expected} and more run over several "
        "further steps. Frameworks count from the start or the end of an answer: ask which."
    )


@warning(speaks="max_staleness=8", silent="")
def staleness_beyond_published(algorithm: Algorithm, max_staleness: float) -> str:
    """Staleness beyond that for which no loss was published."""
    if algorithm == "dpo" or max_staleness <= _PUBLISHED_STALENESS:
        return ""
    return (
        "AReaL reports no loss up to 4 steps, with a decoupled objective; at {max_staleness} expect lower scores, and "
        "measure."
    )


@warning(speaks="max_staleness=0", silent="max_staleness=0&late_samples=waited")
def late_samples_have_no_effect(
    algorithm: Algorithm, placement: Placement, max_staleness: float, late_samples: LateSamples
) -> str:
    """A choice for late answers that on-policy training does not use."""
    if algorithm == "dpo" or placement == "colocated" or max_staleness or late_samples == "waited":
        return ""
    return "Without staleness every batch is waited for: the choice for late answers has no effect."


@warning(speaks="sync_bandwidth=1GB/s", silent="")
def transfer_shows(algorithm: Algorithm, weight_sync_time: float, rl_step_time: float) -> str:
    """Weight transfer that takes 10% of a step."""
    if algorithm == "dpo" or weight_sync_time <= LONG_TRANSFER * rl_step_time:
        return ""
    return "Weight transfer takes {weight_sync_time} of every step: use RDMA, or send only what changed."


@warning(speaks=f"{_AGENTS}&sandboxes=256", silent=_AGENTS)
def sandboxes_decide(outcome: Outcome) -> str:
    """Sandboxes that limit the samples on their way."""
    if outcome.decided_by != SANDBOXES:
        return ""
    return (
        "Too few sandboxes, {sandboxes}, hold the GPUs back: each engine runs {sequences_per_engine} of "
        "{rollout_slots}. CPU cores are the cheap part; add sandboxes."
    )


@warning(
    speaks="max_staleness=4&verifier_time=60&verifier_pool=100&train_gpus=64",
    silent="verifier_time=60&verifier_pool=4000",
)
def verifiers_decide(outcome: Outcome) -> str:
    """Verifiers that take longer than trainer and engines."""
    if outcome.decided_by != VERIFIERS:
        return ""
    return (
        "Verification takes {verifier_rival} per step on {verifier_pool}: busy cores {verifier_cores_needed}. Add more."
    )


@warning(speaks="serving_tensor_parallel=16", silent="serving_tensor_parallel=8")
def engine_over_nodes(algorithm: Algorithm, serving_tensor_parallel: float, gpus_per_domain: float) -> str:
    """An engine that spans nodes, for which steps were not reproduced."""
    if algorithm == "dpo" or serving_tensor_parallel <= max(_RANKS, gpus_per_domain):
        return ""
    return (
        "Outside validity: with an engine over several nodes, published steps were longer by 75% in the median "
        "(43% calculated too short)."
    )


@warning(
    speaks="model=deepseek-v3&output_tokens=700&longest_answer=1426&serving_tensor_parallel=8&gpus=512&train_group=64"
    "&weight_bytes=1",
    silent="",
)
def short_answers_of_a_large_model(algorithm: Algorithm, parameters: float, output_tokens: float) -> str:
    """Short answers of a very large model: published step times are not reproduced."""
    if algorithm == "dpo" or parameters <= _LARGE_MODEL or output_tokens >= _SHORT_ANSWER:
        return ""
    return (
        "Outside validity: steps of DeepSeek-V3 with short answers are calculated 43% too short in the median; work "
        "outside arithmetic decides there."
    )


@warning(speaks="kept_share_of_groups=0.5", silent="")
def groups_thrown_away(algorithm: Algorithm, kept_share_of_groups: float) -> str:
    """Groups that teach nothing and are generated again."""
    if algorithm == "dpo" or kept_share_of_groups >= _FEW_KEPT:
        return ""
    return "Engines generate {generated_samples} for a gradient from {samples_per_step}: choose prompts by difficulty."


@warning(speaks="gpus=130&train_gpus=64", silent="")
def gpus_in_no_engine(idle_gpus: float) -> str:
    """GPUs of the rollout pool left over by whole engines."""
    if not idle_gpus:
        return ""
    return "The rollout pool leaves {idle_gpus} in no engine of {serving_tensor_parallel}: idle, and paid for."


@warning(speaks="algorithm=dpo", silent="")
def off_with_dpo(algorithm: Algorithm) -> str:
    """Parts that DPO does not have."""
    if algorithm != "dpo":
        return ""
    return "DPO generates nothing: rollout engines, verifiers, sandboxes and weight transfer are off."


@warning(speaks="longest_answer=65536", silent="")
def longer_than_positions(
    algorithm: Algorithm, input_tokens: float, tool_result_tokens: float, longest_answer: float, positions: float | None
) -> str:
    """A longest sample beyond what the model supports."""
    if algorithm == "dpo" or positions is None or input_tokens + tool_result_tokens + longest_answer <= positions:
        return ""
    return "The longest samples exceed the {positions} that the model supports: expect no useful output there."


@warning(speaks="late_samples=dropped", silent="")
def samples_are_dropped(dropped_share: float, answer_lengths: Lengths) -> str:
    """Samples that are written again, all of them long ones."""
    if not dropped_share or not answer_lengths.variation:
        return ""
    return "{dropped_share} of the samples are dropped, and all of them are long: the policy learns from short answers."


FORMULAS = formulas_of(globals())
