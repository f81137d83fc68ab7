"""A system for RL post-training: trainer and rollout engines, the storage of checkpoints and rollouts, hall, money."""

from functools import cache

from calculators.catalog import CALCULATORS
from calculators.declare import (
    AnyFormula,
    Calculator,
    computed,
    formulas_of,
    step,
    warning,
)
from calculators.machine import form, hall_and_storage, wiring
from calculators.machine.form import Field, Paid
from calculators.machine.hall_and_storage import OF_HALL, OF_STORE, WEIGHT_LOADING
from calculators.machine.kinds import Capacity, Kind, Measure, Rate
from calculators.machine.workload import Workload, joined_system
from calculators.subjects.post_training.post_training.inputs.work import Algorithm
from calculators.subjects.post_training.post_training.verdicts import does_not_fit
from calculators.units import MILLION, YEAR
from calculators.vocabulary.money import Per, shown_per

PARTS = ("post_training", "storage_demand", "fabric", "power", "cost")
_COMPUTED = {
    "gpu_hours": computed("rl_gpu_hours", "of the run"),
    "checkpoint_size": computed("rl_checkpoint_size", "of trainer and critic"),
    "checkpoint_interval": computed("rl_checkpoint_interval", "every so many steps"),
    "weights_size": computed("engine_weights", "of an engine"),
    "weights_replicas": computed("rollout_engines", "every engine"),
    "stored": computed("hot_stored", "hot data"),
    "hall_power": computed("facility_power", "as needed"),
    "hall_racks": computed("racks", "as needed"),
}
# Prompts are small: nothing is read for each sample, and no corpus is kept.
_NONE = ("samples_per_second", "sample_bytes", "prepared_data", "raw_data")


@step("B", "Weights that a rollout engine loads", rises_with=("parameters", "weight_bytes"))
def engine_weights(parameters: float, weight_bytes: float) -> float:
    """Bytes that every engine reads when it starts [B].

    >>> engine_weights(32e9, 2)
    64000000000.0
    """
    return parameters * weight_bytes


@step("replica", "Rollout engines that load weights")
def rollout_engines(rollout_copies: float) -> float:
    """Engines that read the weights at a start [replica], one at least: with DPO the trainer alone.

    >>> rollout_engines(14), rollout_engines(0)
    (14, 1)
    """
    return max(1, rollout_copies)


@step("B", "KV cache of the longest answer, per GPU", binary=True, rises_with=("longest_answer",))
def longest_cache(cache_per_token_per_gpu: float, input_tokens: float, longest_answer: float) -> float:
    """KV cache that a prompt with the longest answer takes on each GPU of an engine [B]."""
    return cache_per_token_per_gpu * (input_tokens + longest_answer)


@step("B", "Memory of the fuller GPU while engines generate", binary=True)
def fullest_generating_memory(
    algorithm: Algorithm,
    generating_memory: float,
    gpu_memory: float,
    gpu_memory_utilization: float,
    serving_weight_memory: float,
    serving_overhead: float,
    cache_budget: float,
    longest_cache: float,
) -> float:
    """Memory that a training GPU takes while engines generate, or an engine's GPU with the longest answer, if more [B].

    An engine leaves a part of the GPU alone: 10 of 80, with 20 of weights, 2 of overhead and 48 for the cache.

    >>> fullest_generating_memory("grpo", 30, 80, 0.875, 20, 2, 48, 10), fullest_generating_memory("dpo", 30, *[0] * 6)
    (42, 30)
    >>> fullest_generating_memory("grpo", 30, 80, 0.875, 180, 2, 0, 10)
    202.0
    """
    if algorithm == "dpo":
        return generating_memory
    alone = gpu_memory * (1 - gpu_memory_utilization)
    taken = gpu_memory - cache_budget if cache_budget else alone + serving_weight_memory + serving_overhead
    return max(generating_memory, taken + longest_cache)


@step("USD", "Cost of the run on this system", rises_with=("rl_gpu_hours",))
def rl_run_price(
    paid: Paid,
    rl_total_cost: float,
    sandbox_cost: float,
    run_owned: float,
    storage_cost: float | None,
    rl_duration: float,
    book_years: float,
) -> float:
    """Cost of the run [USD]: GPU-hours at their rent or at what used hours cost their owner, and sandboxes.

    A storage system with a price of its own is paid besides rented GPUs, in a straight line over its years.

    >>> rl_run_price("rent", 3.0, 1.0, 2.5, 5.0, 1, 10), rl_run_price("own", 3.0, 1.0, 2.5, 5.0, 1, 10)
    (3.5, 3.5)
    """
    if paid == "own":
        return run_owned + sandbox_cost
    return rl_total_cost + (0 if storage_cost is None else storage_cost * rl_duration / book_years)


@step("USD", "Cost, as shown", rises_with=("rl_gpu_hours",))
def rl_shown(
    money_per: Per,
    rl_run_price: float,
    rl_duration: float,
    gpus: float,
    rl_steps: float,
    samples_per_step: float,
    sample_tokens: float,
) -> float:
    """Cost of the run [USD], in total, or per hour, month, year of it or per million tokens that it trains on."""
    year = rl_run_price / rl_duration * YEAR
    million = rl_run_price / (rl_steps * samples_per_step * sample_tokens) * MILLION
    return shown_per(money_per, year=year, gpus=gpus, million=million, whole=rl_run_price)


@warning(speaks="algorithm=ppo&reward_gpus=8", silent="")
def reward_gpus_elsewhere(reward_gpus: float | None) -> str:
    """A reward model on GPUs of its own, which the hall does not hold."""
    if reward_gpus is None:
        return ""
    return "The {reward_gpus} of the reward model are in the cost; fabric, power and hall are for the other {gpus}."


OWN: dict[str, AnyFormula] = {
    one.name: one
    for one in (*formulas_of(globals()), *hall_and_storage.FORMULAS, wiring.capacity_of_nodes, wiring.metadata_supply)
}
FORM = (
    Field(title="Model", names=("model",)),
    Field(title="Workload", names=("algorithm", "prompts_per_step", "output_tokens", "rl_steps")),
    Field(title="GPUs and their split", names=("gpus", "train_gpus", "placement", "budget")),
    form.ACCELERATOR,
    form.NETWORK,
    Field(title="Staleness", names=("max_staleness",)),
    Field(title="Storage", names=("write_window", "storage_capacity", "storage_cost")),
    form.HALL,
    form.MONEY,
)
RATES = (
    Rate(
        key="compute",
        title="Compute",
        inputs=("peak_flops",),
        asked="{update_time} of updates per step",
        there="{peak_flops} per GPU",
        calculator="post_training",
    ),
    Rate(
        key="memory_bandwidth",
        title="Memory bandwidth",
        inputs=("memory_bandwidth",),
        asked="{trajectory_time} per answer",
        there="{memory_bandwidth} per GPU",
        calculator="post_training",
    ),
    Rate(
        key="links",
        title="Scale-up links",
        inputs=("link_bandwidth",),
        asked="{serving_tensor_parallel} per layer",
        there="{link_bandwidth} per GPU",
        calculator="post_training",
    ),
    Rate(
        key="network",
        title="Weight transfer",
        inputs=("sync_bandwidth",),
        asked="{weights_sent} per step",
        there="{sync_bandwidth}",
        calculator="post_training",
    ),
)
CAPACITIES = (
    Capacity(
        key="generating",
        title="GPU memory while engines generate",
        asked="fullest_generating_memory",
        there="gpu_memory",
        calculator="post_training",
    ),
    Capacity(
        key="updating",
        title="GPU memory while the trainer works",
        asked="training_phase_memory",
        there="gpu_memory",
        calculator="post_training",
    ),
    WEIGHT_LOADING,
    Capacity(
        key="storage_write",
        title="Storage write bandwidth",
        asked="write_demand",
        there="write_supply",
        calculator="storage_demand",
        exceeded="Checkpoint write too slow",
    ),
    *OF_STORE,
    *OF_HALL,
    Capacity(
        key="money",
        title="Money",
        asked="rl_run_price",
        there="budget",
        calculator="cost",
        exceeded="Over budget",
    ),
)
POST_TRAINING = Kind(
    name="rl",
    form=FORM,
    job=frozenset(("model", "shape", "work", "lengths", "agents", "kept", "data", "save")),
    rates=RATES,
    capacities=CAPACITIES,
    measures=(
        Measure(result="rl_duration", title="Time", better="earlier", worse="later"),
        Measure(result="rl_run_price", title="Cost", better="less", worse="more"),
        Measure(result="facility_power", title="Power", better="less", worse="more"),
    ),
    states={
        "phases_fit": {"good": "Memory fits"},
        "engine_fits": {"good": "KV cache fits"},
        "pools_wait": {},
        "split_chosen": {
            "good": "Best split of GPUs",
            "tight": "Split near the best",
        },
    },
    gained="makes the run {share} faster",
    grown="the run takes {share} longer",
    best="ends the run earliest",
    diagnoses=frozenset(("pools_wait", "rl_bottleneck")),
    excluded="hosts of sandboxes and verifiers, and GPUs of a reward model, in hall and fabric",
)


@cache
def rl_machine() -> Calculator:
    """The machine of a post-training job."""
    return joined_system(
        "machine_rl",
        PARTS,
        OWN,
        prefer={"gpus": "post_training", "gpu_hours": "power"},
        computed_inputs=_COMPUTED,
        without=_NONE,
        money_per="whole",
        budget="Maximum cost of the run.",
        title="System planner: RL post-training",
        question="How long does this post-training run take on this system, what limits it, and what should you buy?",
        answer=(
            "{rl_steps} of {rl_step_time} take **{rl_duration}** on {gpus} at {goodput} goodput and cost "
            "**{rl_shown}** {money_per}: the trainer waits {trainer_wait_share} of a step, rollout engines "
            "{rollout_wait_share}. The facility needs {facility_power}."
        ),
        unanswered=does_not_fit,
        headline=("rl_duration", "rl_run_price", "facility_power", "rl_step_time", "best_train_gpus", "best_step_time"),
        first_sliders=("gpus", "train_gpus", "output_tokens"),
        picture=CALCULATORS["post_training"].picture,
    )


ROLLOUTS = Workload(kind=POST_TRAINING, parts=PARTS, calculator=rl_machine)
