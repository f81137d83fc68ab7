"""Verdict: whether training fits in GPU memory, and the largest term."""

from calculators.declare import Verdict, formulas_of, record, verdict

LACKS = "The fullest GPU needs {training_memory}, {shortfall} more than its {gpu_memory}."
HOST_LACKS = "Offloading needs {host_memory_needed} of host memory per node, which has {host_memory}."
MAY_DO = " The low end of the range, {training_memory_low}, would fit."
MAY_LACK = "The fullest GPU needs {training_memory}, at most {training_memory_high}, of its {gpu_memory}."
LEAVES = "The fullest GPU needs {training_memory} of its {gpu_memory}; {headroom} free."
PARTS = (
    ("weights", "weight_memory"),
    ("gradients", "gradient_memory"),
    ("optimizer state", "optimizer_memory"),
    ("activations", "activation_memory"),
    ("logits", "logit_memory"),
    ("fragmentation and overhead", "reserved_memory"),
    ("reference, reward and critic models", "companion_memory"),
    ("the rollout engine", "engine_memory"),
)


@record("Parts of the memory")
def memory_parts(
    weight_memory: float,
    gradient_memory: float,
    optimizer_memory: float,
    activation_memory: float,
    logit_memory: float,
    reserved_memory: float,
    companion_memory: float,
    engine_memory: float,
) -> tuple[float, ...]:
    """Amounts of the parts [B], in the order in which verdicts name them."""
    states = (weight_memory, gradient_memory, optimizer_memory)
    return *states, activation_memory, logit_memory, reserved_memory, companion_memory, engine_memory


@verdict("Fits in GPU memory", good="", tight="gpu_memory=44GiB", bad="pp=1&dp=8")
def fits(
    training_memory: float,
    training_memory_low: float,
    training_memory_high: float,
    gpu_memory: float,
    memory_parts: tuple[float, ...],
    host_memory_needed: float,
    host_memory: float,
) -> Verdict:
    """Whether GPU memory suffices, tight where the range reaches beyond it, and host memory where it is used."""
    label, name = PARTS[max(range(len(PARTS)), key=memory_parts.__getitem__)]
    largest = f"The largest part is {label}: {{{name}}}."
    if training_memory > gpu_memory:
        may_do = MAY_DO if training_memory_low <= gpu_memory else ""
        return Verdict(level="bad", word="does not fit", reason=f"{LACKS}{may_do} {largest}")
    if host_memory_needed > host_memory:
        return Verdict(level="bad", word="does not fit", reason=HOST_LACKS)
    if training_memory_high > gpu_memory:
        return Verdict(level="tight", word="tight", reason=f"{MAY_LACK} {largest}")
    return Verdict(level="good", word="OK", reason=f"{LEAVES} {largest}")


VERDICTS = formulas_of(globals())
