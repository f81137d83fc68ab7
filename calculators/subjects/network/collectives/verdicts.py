"""Verdicts and constraints of collectives: overlap, message size, a measurement, and layouts that frameworks refuse."""

from calculators.declare import Verdict, constraint, formulas_of, verdict
from calculators.llm.heads import uneven_kv_heads
from calculators.subjects.network.collectives.algorithms import ENOUGH_HALF_SIZES

HIDDEN_TO, BEARABLE_TO = 0.05, 0.2
NORMAL_FROM = 0.8


@verdict(
    "Communication overlap",
    good="tensor_overlap=100%25&micro_batches=32",
    tight="",
    bad="link_bandwidth=600GB/s",
)
def communication_overlapped(exposed_share: float) -> Verdict:
    """Good while less than 5% of the step is exposed communication, bad above 20%."""
    reason = "{exposed_share} of the step is exposed communication: {exposed_time} of {step_time}."
    if exposed_share < HIDDEN_TO:
        return Verdict(level="good", word="communication overlapped", reason=reason)
    if exposed_share <= BEARABLE_TO:
        return Verdict(level="tight", word="communication partly exposed", reason=reason)
    return Verdict(level="bad", word="communication exposed", reason=reason)


@verdict("Message size", good="", tight="message_size=32MiB", bad="message_size=16MiB")
def bandwidth_bound(message_size: float, half_size: float) -> Verdict:
    """Good from 4× the half-bandwidth size, bad below it."""
    if message_size >= ENOUGH_HALF_SIZES * half_size:
        return Verdict(
            level="good",
            word="bandwidth-bound",
            reason="{message_size}, at least 4× the half-bandwidth size of {half_size}.",
        )
    if message_size >= half_size:
        return Verdict(
            level="tight",
            word="between latency and bandwidth",
            reason="Half of the plateau is reached at {half_size}; modeled times are reliable from 4× that.",
        )
    return Verdict(
        level="bad",
        word="latency-bound",
        reason="{message_size}, below the half-bandwidth size of {half_size}: send fewer, larger messages.",
    )


@verdict(
    "Measured bus bandwidth",
    good="measured_bus_bandwidth=308GB/s",
    tight="measured_bus_bandwidth=481GB/s",
    bad="measured_bus_bandwidth=306GB/s",
)
def measurement_as_expected(measured_bus_bandwidth: float, plateau_bus_bandwidth: float) -> Verdict:
    """Good from 80% of the plateau; tight where the plateau is below 80% of the measurement."""
    if measured_bus_bandwidth == plateau_bus_bandwidth:
        return Verdict(level="good", word="not measured", reason="Large messages should reach {plateau_bus_bandwidth}.")
    reason = "{measured_bus_bandwidth} is {measured_share} of the {plateau_bus_bandwidth} expected for large messages"
    if measured_bus_bandwidth * NORMAL_FROM > plateau_bus_bandwidth:
        return Verdict(
            level="tight",
            word="faster than modeled",
            reason=f"{reason}: check links and NICs entered here, bits against bytes, and the bus factor.",
        )
    if measured_bus_bandwidth >= NORMAL_FROM * plateau_bus_bandwidth:
        return Verdict(level="good", word="as expected", reason=f"{reason}.")
    return Verdict(
        level="bad",
        word="too slow",
        reason=f"{reason}: paste the whole nccl-tests output below to see likely causes.",
    )


@constraint("tensor_parallel", speaks="tensor_parallel=3", silent="tensor_parallel=16")
def ranks_share_heads(tensor_parallel: float, kv_heads: float) -> str:
    """Tensor-parallel ranks hold equally many key-value heads, or equally many ranks hold copies of one."""
    return uneven_kv_heads(kv_heads, tensor_parallel)


@constraint(
    "expert_parallel",
    speaks="model=mixtral-8x7b&expert_parallel=8&tensor_parallel=2&data_parallel=2",
    silent="model=mixtral-8x7b&expert_parallel=8&tensor_parallel=2&data_parallel=4",
)
def experts_from_ranks(
    expert_parallel: float, tensor_parallel: float, data_parallel: float, context_parallel: float
) -> str:
    """Expert-parallel ranks are taken from tensor, data and context ranks, not from pipeline stages."""
    if tensor_parallel * data_parallel * context_parallel % expert_parallel == 0:
        return ""
    return (
        "Expert parallel must divide tensor parallel × data parallel × context parallel, "
        "because its ranks are taken from theirs: {expert_parallel} does not divide {tensor_parallel} × "
        "{data_parallel} × {context_parallel}"
    )


FORMULAS = formulas_of(globals())
