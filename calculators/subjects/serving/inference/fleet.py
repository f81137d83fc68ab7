"""The fleet: copies and GPUs for the traffic, what is left when one fails, what a token costs, how a copy starts."""

import math

from calculators.declare import formulas_of, step
from calculators.units import HOUR

_MILLION = 1e6
_DIGITS = 9  # so that a copy that is exactly full is one


def _whole(copies: float, group: float) -> float:
    return math.ceil(round(copies / group, _DIGITS)) * group


@step("replica", "Copies the traffic takes", not_applicable="none would do")
def copies_needed(
    request_rate: float,
    copy_rate: float,
    serving_max_sequences: float,
    planned_load: float,
    spare_copies: float,
    expert_groups: float,
) -> float | None:
    """Copies for so many requests per second at the planned load, and those that may fail [replica].

    In whole sets, where groups share their experts; nothing where no sequence fits.

    >>> copies_needed(5, 3.5, 305, 0.7, 0, 1), copies_needed(5, 3.5, 9, 0.7, 1, 1), copies_needed(5, 3.5, 0, 0.7, 0, 1)
    (3, 4, None)
    """
    if serving_max_sequences < 1:
        return None
    return _whole(max(1, request_rate / (copy_rate * planned_load)), expert_groups) + spare_copies * expert_groups


@step("replica", "Copies that read prompts", not_applicable="none would do")
def prefill_copies(
    request_rate: float,
    prefill_time: float,
    planned_load: float,
    spare_copies: float,
    expert_groups: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """Copies that do nothing but read prompts [replica]; none where prompts are read along."""
    if not disaggregated:
        return 0
    return _whole(request_rate * prefill_time / planned_load, expert_groups) + spare_copies * expert_groups


@step("GPU", "GPUs", not_applicable="no number of GPUs")
def serving_gpus(copies: float | None, prefill_copies: float, serving_tensor_parallel: float) -> float | None:
    """GPUs of all copies, those that read prompts included [GPU]."""
    return None if copies is None else (copies + prefill_copies) * serving_tensor_parallel


@step("share", "Load of the copies", not_applicable="none")
def serving_load(request_rate: float, copies: float | None, copy_rate: float) -> float | None:
    """What of their capacity the traffic takes [share]; above 1 the queue grows without end."""
    return None if copies is None else request_rate / (copies * copy_rate)


@step("share", "Load of what reads prompts", not_applicable="none")
def prompt_load(
    request_rate: float,
    prefill_time: float,
    prefill_copies: float,
    serving_load: float | None,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float | None:
    """How busy that is for which a prompt waits [share]: copies that read prompts, or those that do everything."""
    return request_rate * prefill_time / prefill_copies if disaggregated else serving_load


@step("share", "Load with one copy down", not_applicable="none left")
def failed_load(request_rate: float, copies: float | None, copy_rate: float, expert_groups: float) -> float | None:
    """What the traffic takes of the copies left when one has failed, with all that share its experts [share]."""
    if copies is None or copies <= expert_groups:
        return None
    return request_rate / ((copies - expert_groups) * copy_rate)


@step("USD", "A million tokens written", not_applicable="no sum of money")
def cost_per_million_output(
    serving_gpus: float | None, price_per_gpu_hour: float, request_rate: float, answer: float
) -> float | None:
    """What a million written tokens cost [USD], all GPUs paid around the clock at this traffic, prompts inside.

    >>> round(cost_per_million_output(24, 3, 5, 500), 2)
    8.0
    """
    if serving_gpus is None:
        return None
    return serving_gpus * price_per_gpu_hour / (request_rate * answer * HOUR) * _MILLION


@step("USD", "A million tokens read and written", not_applicable="none")
def cost_per_million_total(
    serving_gpus: float | None, price_per_gpu_hour: float, request_rate: float, context: float
) -> float | None:
    """What a million tokens cost where prompts are counted as well [USD]."""
    if serving_gpus is None:
        return None
    return serving_gpus * price_per_gpu_hour / (request_rate * context * HOUR) * _MILLION


@step("s", "In line beyond what runs at once", not_applicable="none")
def queue_past_limit(
    concurrent_users: float | None, copies: float | None, running: float, copy_rate: float, answer: float, tpot: float
) -> float | None:
    """What users wait in line when there are more than can run [s], by Little's law; nothing while all of them run.

    NIM with 250 clients of 500 tokens each: 86 run, 93.2 ms a token. (It printed 88.6 s.)

    >>> round(queue_past_limit(250, 1, 85.76, 920.12 / 500, 500, 0.0932), 1)
    89.3
    >>> queue_past_limit(60, 2, 50, 0.1, 500, 0.09)
    0
    """
    if concurrent_users is None or copies is None:
        return None
    return max(0, concurrent_users / (copies * copy_rate) - answer * tpot) if concurrent_users > copies * running else 0


@step("B", "Weights that serve", rises_with=("parameters",))
def weights_size(parameters: float, weight_bytes: float) -> float:
    """What one copy loads when it starts [B]."""
    return parameters * weight_bytes


@step("replica", "Copies that start at once")
def weights_replicas(copies: float | None, prefill_copies: float) -> float:
    """Copies that load weights together after a rollout or an outage [replica]: all there are."""
    return 0 if copies is None else copies + prefill_copies


@step("s", "Starting a copy", falls_with=("load_bandwidth",))
def start_time(weights_size: float, load_bandwidth: float, start_fixed: float) -> float:
    """From nothing to the first token of a new copy [s]: weights loaded, then what is compiled and captured.

    >>> start_time(141e9, 5e9, 90)
    118.2
    """
    return weights_size / load_bandwidth + start_fixed


FORMULAS = formulas_of(globals())
