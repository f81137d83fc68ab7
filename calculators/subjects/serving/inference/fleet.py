"""The fleet: copies and GPUs for the traffic, what is left when one fails, what a token costs, how a copy starts."""

import math

from calculators.declare import formulas_of, step
from calculators.units import HOUR

_MILLION = 1e6
_DIGITS = 9  # so that a copy that is exactly full is one


def _whole(replicas: float, group: float) -> float:
    return math.ceil(round(replicas / group, _DIGITS)) * group


@step("replica", "Copies the traffic takes", not_applicable="none would do")
def replicas_needed(
    request_rate: float,
    replica_request_rate: float,
    serving_max_sequences: float,
    target_utilization: float,
    spare_replicas: float,
    expert_groups: float,
) -> float | None:
    """Copies for so many requests per second at the planned load, and those that may fail [replica].

    In whole sets, where groups share their experts; nothing where no sequence fits.

    >>> [replicas_needed(5, 3.5, 305, 0.7, spare, 1) for spare in (0, 1)], replicas_needed(5, 3.5, 0, 0.7, 0, 1)
    ([3, 4], None)
    """
    if serving_max_sequences < 1:
        return None
    return (
        _whole(max(1, request_rate / (replica_request_rate * target_utilization)), expert_groups)
        + spare_replicas * expert_groups
    )


@step("replica", "Copies that read prompts", not_applicable="none would do")
def prefill_replicas(
    request_rate: float,
    prefill_time: float,
    target_utilization: float,
    spare_replicas: float,
    expert_groups: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """Copies that do nothing but read prompts [replica]; none where prompts are read along."""
    if not disaggregated:
        return 0
    return _whole(request_rate * prefill_time / target_utilization, expert_groups) + spare_replicas * expert_groups


@step("GPU", "GPUs", not_applicable="no number of GPUs")
def serving_gpus(replicas: float | None, prefill_replicas: float, serving_tensor_parallel: float) -> float | None:
    """GPUs of all copies, those that read prompts included [GPU]."""
    return None if replicas is None else (replicas + prefill_replicas) * serving_tensor_parallel


@step("share", "Load of the copies", not_applicable="none")
def replica_utilization(request_rate: float, replicas: float | None, replica_request_rate: float) -> float | None:
    """What of their capacity the traffic takes [share]; above 1 the queue grows without end."""
    return None if replicas is None else request_rate / (replicas * replica_request_rate)


@step("share", "Load of what reads prompts", not_applicable="none")
def prefill_utilization(
    request_rate: float,
    prefill_time: float,
    prefill_replicas: float,
    replica_utilization: float | None,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float | None:
    """How busy that is for which a prompt waits [share]: copies that read prompts, or those that do everything."""
    return request_rate * prefill_time / prefill_replicas if disaggregated else replica_utilization


@step("share", "Load with one copy down", not_applicable="none left")
def degraded_utilization(
    request_rate: float, replicas: float | None, replica_request_rate: float, expert_groups: float
) -> float | None:
    """What the traffic takes of the copies left when one has failed, with all that share its experts [share]."""
    if replicas is None or replicas <= expert_groups:
        return None
    return request_rate / ((replicas - expert_groups) * replica_request_rate)


@step("USD", "A million tokens written", not_applicable="no sum of money")
def cost_per_million_output(
    serving_gpus: float | None, price_per_gpu_hour: float, request_rate: float, output_tokens: float
) -> float | None:
    """What a million written tokens cost [USD], all GPUs paid around the clock at this traffic, prompts inside.

    >>> round(cost_per_million_output(24, 3, 5, 500), 2)
    8.0
    """
    if serving_gpus is None:
        return None
    return serving_gpus * price_per_gpu_hour / (request_rate * output_tokens * HOUR) * _MILLION


@step("USD", "A million tokens read and written", not_applicable="none")
def cost_per_million_total(
    serving_gpus: float | None, price_per_gpu_hour: float, request_rate: float, context: float
) -> float | None:
    """What a million tokens cost where prompts are counted as well [USD]."""
    if serving_gpus is None:
        return None
    return serving_gpus * price_per_gpu_hour / (request_rate * context * HOUR) * _MILLION


@step("s", "In line beyond what runs at once", not_applicable="none")
def admission_queue_time(
    concurrent_users: float | None,
    replicas: float | None,
    concurrent_sequences: float,
    replica_request_rate: float,
    output_tokens: float,
    tpot: float,
) -> float | None:
    """What users wait in line when there are more than can run [s], by Little's law; nothing while all of them run.

    NIM with 250 clients of 500 tokens each: 86 run, 93.2 ms a token. (It printed 88.6 s.)

    >>> round(admission_queue_time(250, 1, 85.76, 920.12 / 500, 500, 0.0932), 1)
    89.3
    >>> admission_queue_time(60, 2, 50, 0.1, 500, 0.09)
    0
    """
    if concurrent_users is None or replicas is None:
        return None
    return (
        max(0, concurrent_users / (replicas * replica_request_rate) - output_tokens * tpot)
        if concurrent_users > replicas * concurrent_sequences
        else 0
    )


@step("B", "Weights that serve", rises_with=("parameters",))
def weights_size(parameters: float, weight_bytes: float) -> float:
    """What one copy loads when it starts [B]."""
    return parameters * weight_bytes


@step("replica", "Copies that start at once")
def weights_replicas(replicas: float | None, prefill_replicas: float) -> float:
    """Copies that load weights together after a rollout or an outage [replica]: all there are."""
    return 0 if replicas is None else replicas + prefill_replicas


@step("s", "Starting a copy", falls_with=("load_bandwidth",))
def start_time(weights_size: float, load_bandwidth: float, start_fixed: float) -> float:
    """From nothing to the first token of a new copy [s]: weights loaded, then what is compiled and captured.

    >>> start_time(141e9, 5e9, 90)
    118.2
    """
    return weights_size / load_bandwidth + start_fixed


FORMULAS = formulas_of(globals())
