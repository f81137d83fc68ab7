"""Verdict: whether training fits in GPU memory, and the largest term."""

from calculators.declare import Verdict, formulas_of, verdict

TIGHT_FROM = 0.9
LACKS = "The fullest GPU needs {training_memory}, {shortfall} more than its {gpu_memory}."
LEAVES = "The fullest GPU needs {training_memory} of its {gpu_memory}; {headroom} free."
PARTS = (
    ("weights", "weight_memory"),
    ("gradients", "gradient_memory"),
    ("optimizer state", "optimizer_memory"),
    ("activations", "activation_memory"),
    ("logits", "logit_memory"),
    ("fragmentation and overhead", "reserved_memory"),
)


@verdict("Fits in GPU memory", good="", tight="gpu_memory=44GiB", bad="pp=1&dp=8")
def fits(
    training_memory: float,
    gpu_memory: float,
    weight_memory: float,
    gradient_memory: float,
    optimizer_memory: float,
    activation_memory: float,
    logit_memory: float,
    reserved_memory: float,
) -> Verdict:
    """Whether the fullest GPU's memory suffices, tight below 10 % headroom, and its largest term."""
    largest = _largest_part(
        weight_memory, gradient_memory, optimizer_memory, activation_memory, logit_memory, reserved_memory
    )
    if training_memory > gpu_memory:
        return Verdict(level="bad", word="does not fit", reason=f"{LACKS} {largest}")
    if training_memory > TIGHT_FROM * gpu_memory:
        return Verdict(level="tight", word="tight", reason=f"{LEAVES} {largest}")
    return Verdict(level="good", word="OK", reason=f"{LEAVES} {largest}")


def _largest_part(*amounts: float) -> str:
    label, name = PARTS[max(range(len(PARTS)), key=amounts.__getitem__)]
    return f"The largest part is {label}: {{{name}}}."


VERDICTS = formulas_of(globals())
