"""Constraints: combinations of inputs that no post-training job has."""

from calculators.declare import constraint, formulas_of
from calculators.subjects.post_training.post_training.inputs.pools import Placement
from calculators.subjects.post_training.post_training.inputs.work import Algorithm


@constraint("longest_answer", speaks="output_tokens=32768", silent="output_tokens=32000")
def mean_below_the_limit(algorithm: Algorithm, output_tokens: float, longest_answer: float) -> str:
    """A mean length that the limit does not allow."""
    if output_tokens < longest_answer or algorithm == "dpo":
        return ""
    return "A mean answer of {output_tokens} needs a limit above it, not {longest_answer}: raise the limit"


@constraint("samples_per_prompt", speaks="samples_per_prompt=1", silent="samples_per_prompt=1&algorithm=ppo")
def group_to_compare(algorithm: Algorithm, samples_per_prompt: float) -> str:
    """A group of one with GRPO."""
    if algorithm != "grpo" or samples_per_prompt > 1:
        return ""
    return "GRPO compares the samples of a prompt with each other: give at least 2, or choose PPO"


@constraint("samples_per_prompt", speaks="algorithm=dpo&samples_per_prompt=4", silent="algorithm=dpo")
def pair_of_answers(algorithm: Algorithm, samples_per_prompt: float) -> str:
    """A pair of DPO that has not two answers."""
    if algorithm != "dpo" or samples_per_prompt == 1 + 1:
        return ""
    return "A DPO pair has 2 answers, not {samples_per_prompt}: leave this out, or choose another algorithm"


@constraint("train_gpus", speaks="train_gpus=126", silent="train_gpus=124")
def room_for_an_engine(
    algorithm: Algorithm,
    placement: Placement,
    gpus: float,
    train_gpus: float,
    train_group: float,
    serving_tensor_parallel: float,
) -> str:
    """A split that leaves less than one rollout engine."""
    if algorithm == "dpo" or placement == "colocated" or train_gpus + serving_tensor_parallel <= gpus:
        return ""
    if gpus <= serving_tensor_parallel:
        return (
            "{gpus} cannot hold a trainer next to a rollout engine of {serving_tensor_parallel}: use more GPUs, "
            "smaller engines, or colocate"
        )
    if gpus < train_group + serving_tensor_parallel and train_gpus >= train_group:
        return (
            "{gpus} cannot hold a training replica of {train_group} next to a rollout engine of "
            "{serving_tensor_parallel}: use more GPUs, smaller training replicas or engines, or colocate"
        )
    return (
        "{train_gpus} for training leave less than one rollout engine of {serving_tensor_parallel}: "
        "use fewer of the {gpus} for training, smaller training replicas or engines, or colocate"
    )


@constraint("serving_tensor_parallel", speaks="placement=colocated&gpus=2", silent="placement=colocated&gpus=4")
def engine_within_the_gpus(
    algorithm: Algorithm, placement: Placement, gpus: float, serving_tensor_parallel: float
) -> str:
    """An engine larger than the job, where trainer and engines share the GPUs."""
    if algorithm == "dpo" or placement == "apart" or serving_tensor_parallel <= gpus:
        return ""
    return "An engine of {serving_tensor_parallel} does not fit on {gpus}: use fewer ranks"


FORMULAS = formulas_of(globals())
