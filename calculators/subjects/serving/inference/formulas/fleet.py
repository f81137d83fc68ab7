"""Fleet: replicas and GPUs for the traffic, utilization with all replicas and with one down, cost, and start time."""

import math

from calculators.declare import formulas_of, step
from calculators.units import HOUR, YEAR
from calculators.vocabulary.money import Per, shown_per

_ROUNDING = 1e-9
_MILLION = 1e6
_DIGITS = 9  # so that a replica that is exactly full is one


def _whole(replicas: float, group: float) -> float:
    return math.ceil(round(replicas / group, _DIGITS)) * group


@step("replica", "Replicas needed", not_applicable="no replica fits")
def replicas_needed(
    request_rate: float,
    replica_request_rate: float,
    serving_max_sequences: float,
    target_utilization: float,
    spare_replicas: float,
    expert_groups: float,
    objective_replicas: float | None,
    user_replicas: float | None,
) -> float | None:
    """Replicas for the traffic at the target utilization, or for the p95 targets, plus spare ones [replica].

    In whole sets, where groups of GPUs share their experts; None where no sequence fits. Where no number meets the p95
    targets, as many as the utilization takes.

    >>> [replicas_needed(5, 3.5, 305, 0.7, spare, 1, None, users) for spare, users in ((0, None), (1, None), (0, 4))]
    [3, 4, 4]
    >>> replicas_needed(5, 3.5, 0, 0.7, 0, 1, None, None), replicas_needed(5, 3.5, 305, 0.7, 1, 1, 2, None)
    (None, 3)
    """
    if serving_max_sequences < 1:
        return None
    if objective_replicas is not None:
        return _whole(objective_replicas, expert_groups) + spare_replicas * expert_groups
    working = max(1, request_rate / (replica_request_rate * target_utilization), user_replicas or 0)
    return _whole(working, expert_groups) + spare_replicas * expert_groups


@step("replica", "Prefill replicas")
def prefill_replicas(
    request_rate: float,
    prefill_time: float,
    target_utilization: float,
    spare_replicas: float,
    expert_groups: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """Replicas that only prefill [replica]; 0 where prefill and decode share replicas."""
    if not disaggregated:
        return 0
    return _whole(request_rate * prefill_time / target_utilization, expert_groups) + spare_replicas * expert_groups


@step("GPU", "GPUs", not_applicable="no number of GPUs")
def serving_gpus(replicas: float | None, prefill_replicas: float, serving_tensor_parallel: float) -> float | None:
    """GPUs of all replicas, prefill replicas included [GPU]."""
    return None if replicas is None else (replicas + prefill_replicas) * serving_tensor_parallel


@step("share", "Replica utilization", not_applicable="no replica")
def replica_utilization(
    traffic_rate: float,
    replicas: float | None,
    replica_request_rate: float,
    concurrent_users: float | None,
    mean_running_sequences: float,
    concurrent_sequences: float,
) -> float | None:
    """Share of the replicas' capacity that the traffic uses [share]; above 1 the queue grows without limit.

    Of requests per second; with users, who wait for their answers and so never send too many, of concurrent sequences.

    >>> replica_utilization(12, 2, 5, None, 20, 20), replica_utilization(9, 2, 5, 100, 15, 20)
    (1.2, 0.75)
    """
    if replicas is None:
        return None
    if concurrent_users is not None:
        return mean_running_sequences / concurrent_sequences
    return traffic_rate / (replicas * replica_request_rate)


@step("share", "Prefill utilization", not_applicable="no replica")
def prefill_utilization(
    traffic_rate: float,
    prefill_time: float,
    prefill_replicas: float,
    replica_utilization: float | None,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float | None:
    """Utilization of the replicas for which a prompt queues [share]: prefill replicas, or those that do both."""
    return traffic_rate * prefill_time / prefill_replicas if disaggregated else replica_utilization


@step("share", "Utilization with one replica down (N−1)", not_applicable="no replica left")
def degraded_utilization(
    replica_utilization: float | None, replicas: float | None, expert_groups: float
) -> float | None:
    """Utilization of the replicas left when one has failed, with all that share its experts [share].

    >>> round(degraded_utilization(0.6, 4, 1), 6), degraded_utilization(0.6, 1, 1)
    (0.8, None)
    """
    if replica_utilization is None or replicas is None or replicas <= expert_groups:
        return None
    return replica_utilization * replicas / (replicas - expert_groups)


@step("request/s", "Requests/s of the traffic")
def traffic_rate(request_rate: float, concurrent_users: float | None, served_request_rate: float | None) -> float:
    """Requests that arrive [request/s]: the rate given, or what the users send to the replicas there are."""
    return request_rate if concurrent_users is None or served_request_rate is None else served_request_rate


@step("USD", "Cost per million output tokens", not_applicable="no cost")
def cost_per_million_output(
    serving_gpus: float | None, price_per_gpu_hour: float, traffic_rate: float, output_tokens: float
) -> float | None:
    """Cost of a million output tokens [USD], all GPUs paid around the clock at this traffic, prefill included.

    >>> round(cost_per_million_output(24, 3, 5, 500), 2)
    8.0
    """
    if serving_gpus is None:
        return None
    return serving_gpus * price_per_gpu_hour / (traffic_rate * output_tokens * HOUR) * _MILLION


@step("USD", "GPU cost per year", not_applicable="no cost")
def fleet_cost_per_year(serving_gpus: float | None, price_per_gpu_hour: float) -> float | None:
    """Cost of all GPUs for a year around the clock [USD].

    >>> fleet_cost_per_year(24, 3)
    631152.0
    """
    return None if serving_gpus is None else serving_gpus * price_per_gpu_hour * YEAR / HOUR


@step("USD", "GPU cost, as shown", not_applicable="no end, so no cost")
def fleet_cost(
    money_per: Per,
    fleet_cost_per_year: float | None,
    cost_per_million_output: float | None,
    serving_gpus: float | None,
) -> float | None:
    """Cost of all GPUs per GPU and hour, month, year or million output tokens [USD]; a service has no total.

    >>> fleet_cost("month", 631152, 8, 24), fleet_cost("million", 631152, 8, 24), fleet_cost("whole", 631152, 8, 24)
    (52596.0, 8, None)
    """
    if fleet_cost_per_year is None or cost_per_million_output is None or serving_gpus is None or money_per == "whole":
        return None
    return shown_per(money_per, year=fleet_cost_per_year, gpus=serving_gpus, million=cost_per_million_output, whole=0)


@step("USD", "Cost per million tokens, input and output", not_applicable="no cost")
def cost_per_million_total(
    serving_gpus: float | None, price_per_gpu_hour: float, traffic_rate: float, context: float
) -> float | None:
    """Cost of a million tokens where input tokens are counted as well [USD]."""
    if serving_gpus is None:
        return None
    return serving_gpus * price_per_gpu_hour / (traffic_rate * context * HOUR) * _MILLION


@step("s", "Queue time beyond max concurrent sequences", source="little-1961", not_applicable="not applicable")
def admission_queue_time(
    concurrent_users: float | None,
    think_time: float,
    replicas: float | None,
    concurrent_sequences: float,
    replica_request_rate: float,
    output_tokens: float,
    tpot: float,
) -> float | None:
    """Time a request queues when there are more users than concurrent sequences [s], by Little's law; else 0.

    NIM with 250 clients of 500 tokens each: 86 run, 93.2 ms a token. (It printed 88.6 s.)

    >>> round(admission_queue_time(250, 0, 1, 85.76, 920.12 / 500, 500, 0.0932), 1)
    89.3
    >>> admission_queue_time(60, 0, 2, 50, 0.1, 500, 0.09), admission_queue_time(60, 600, 1, 50, 0.1, 500, 0.09)
    (0, 0)
    """
    if concurrent_users is None or replicas is None:
        return None
    if concurrent_users <= replicas * concurrent_sequences:
        return 0
    return max(0, concurrent_users / (replicas * replica_request_rate) - output_tokens * tpot - think_time)


@step("B", "Weights of a replica", rises_with=("parameters",))
def weights_size(parameters: float, weight_bytes: float) -> float:
    """Bytes of a model's weights, as they are stored [B]."""
    return parameters * weight_bytes


@step("B", "Weights that a replica loads", source="vllm-ep-weight-filter-2026", rises_with=("parameters",))
def loaded_weights(
    weights_size: float,
    serving_weight_memory: float,
    serving_tensor_parallel: float,
    ep_weight_filter: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """Bytes that one replica reads when it starts [B]: all weights, or what its ranks hold, their own experts alone.

    Of the 591 GB of Kimi K2.5 with experts over 8 GPUs, vLLM says, that avoids 87% of the reads; here it is 86.5%.

    >>> [loaded_weights(600e9, 90e9, 2, only) / 1e9 for only in (False, True)]
    [600.0, 180.0]
    """
    return serving_weight_memory * serving_tensor_parallel if ep_weight_filter else weights_size


@step("replica", "Replicas that start at once")
def weights_replicas(
    replicas: float | None, prefill_replicas: float, loaded_weights: float, weights_size: float
) -> float:
    """Replicas that load weights together after a rollout or an outage [replica]: all there are.

    Where each loads a part, they are as many as would read as much by loading all.

    >>> weights_replicas(30, 2, 1e12, 1e12), weights_replicas(96, 0, 60e9, 1e12)
    (32, 6)
    """
    if replicas is None:
        return 0
    return math.ceil((replicas + prefill_replicas) * loaded_weights / weights_size * (1 - _ROUNDING))


@step("s", "Replica start time", falls_with=("load_bandwidth",))
def start_time(loaded_weights: float, load_bandwidth: float, start_fixed: float) -> float:
    """Time from nothing to the first token of a new replica [s]: weights loaded, then compilation and graph capture.

    >>> start_time(141e9, 5e9, 90)
    118.2
    """
    return loaded_weights / load_bandwidth + start_fixed


FORMULAS = formulas_of(globals())
