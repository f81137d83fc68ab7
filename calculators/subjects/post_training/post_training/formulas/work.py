"""Work of a step: samples and their tokens, and the GPUs of each pool."""

from calculators.declare import formulas_of, step
from calculators.subjects.post_training.post_training.inputs.pools import Placement
from calculators.subjects.post_training.post_training.inputs.work import Algorithm

_GROUP, _PAIR = 16, 2


@step("1", "Typical samples per prompt")
def typical_group(algorithm: Algorithm) -> float:
    """Answers to each prompt: 16, as in NeMo RL and AReaL; 2 with DPO.

    >>> typical_group("grpo"), typical_group("dpo")
    (16, 2)
    """
    return _PAIR if algorithm == "dpo" else _GROUP


@step("sample", "Samples per step", rises_with=("prompts_per_step",))
def samples_per_step(prompts_per_step: float, samples_per_prompt: float) -> float:
    """Samples that a step trains on [sample].

    >>> samples_per_step(64, 16)
    1024
    """
    return prompts_per_step * samples_per_prompt


@step("sample", "Samples generated per step", falls_with=("kept_share_of_groups",))
def generated_samples(algorithm: Algorithm, samples_per_step: float, kept_share_of_groups: float) -> float:
    """Samples that engines generate for a step [sample], those without a gradient included; none with DPO.

    >>> generated_samples("grpo", 1024, 0.5), generated_samples("dpo", 1024, 1)
    (2048.0, 0)
    """
    return 0 if algorithm == "dpo" else samples_per_step / kept_share_of_groups


@step("token", "Tool results in a sample")
def tool_result_tokens(turns: float, tool_tokens: float) -> float:
    """Tokens of tool results in a sample [token]: one result after each turn but the last.

    >>> tool_result_tokens(20, 300), tool_result_tokens(1, 300)
    (5700, 0)
    """
    return tool_tokens * max(0, turns - 1)


@step("token", "Tokens of a sample")
def sample_tokens(input_tokens: float, tool_result_tokens: float, output_tokens: float) -> float:
    """Prompt, tool results and answer of a sample, in the mean [token].

    >>> sample_tokens(300, 0, 8000)
    8300
    """
    return input_tokens + tool_result_tokens + output_tokens


@step("s", "Time of a sample at its tools")
def waiting_time(turns: float, tool_time: float) -> float:
    """Time that a sample waits for its tools [s].

    >>> waiting_time(20, 10), waiting_time(1, 10)
    (200, 0)
    """
    return turns * tool_time if turns > 1 else 0


@step("GPU", "GPUs of the trainer")
def trainer_gpus(algorithm: Algorithm, placement: Placement, gpus: float, train_gpus: float) -> float:
    """GPUs that train [GPU]: all of them with DPO and where trainer and engines share them.

    >>> trainer_gpus("grpo", "apart", 128, 48), trainer_gpus("grpo", "colocated", 128, 48)
    (48, 128)
    """
    return train_gpus if placement == "apart" and algorithm != "dpo" else gpus


@step("GPU", "GPUs of the rollout engines")
def rollout_gpus(algorithm: Algorithm, placement: Placement, gpus: float, trainer_gpus: float) -> float:
    """GPUs that generate [GPU]; none with DPO, all where trainer and engines share them.

    >>> rollout_gpus("grpo", "apart", 128, 48), rollout_gpus("dpo", "apart", 128, 128)
    (80, 0)
    """
    if algorithm == "dpo":
        return 0
    return gpus if placement == "colocated" else max(0, gpus - trainer_gpus)


@step("replica", "Rollout engines")
def rollout_copies(algorithm: Algorithm, rollout_gpus: float, serving_tensor_parallel: float) -> float:
    """Whole engines on the GPUs that generate [replica], at least one; none with DPO.

    >>> rollout_copies("grpo", 80, 4), rollout_copies("grpo", 82, 4), rollout_copies("dpo", 0, 4)
    (20, 20, 0)
    """
    return 0 if algorithm == "dpo" else max(1, rollout_gpus // serving_tensor_parallel)


@step("GPU", "GPUs in no engine")
def idle_gpus(rollout_gpus: float, rollout_copies: float, serving_tensor_parallel: float) -> float:
    """GPUs of the rollout pool that no whole engine uses and that are paid for [GPU].

    >>> idle_gpus(82, 20, 4)
    2
    """
    return max(0, rollout_gpus - rollout_copies * serving_tensor_parallel)


FORMULAS = formulas_of(globals())
