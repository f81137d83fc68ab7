"""Where the field disagrees: what each count of a token's FLOPs makes of the present run, at the same speed."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import units
from calculators.declare.tables import Table
from calculators.llm.adapters import ADAPTERS

_WHO_PLANS = "Kaplan and Hoffmann; most plans and most prices"


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each convention, who uses it, and what it makes of these values."""
    adapters = values["job"] in ADAPTERS
    counted = 6 * values["active_parameters"] + values["mtp_output_flops"] - values["frozen_parameter_flops"]
    plain = units.text(counted, "FLOP/token")
    yield (
        "4 FLOPs per frozen parameter, attention ignored" if adapters else "6 FLOPs per parameter, attention ignored",
        "the same without the gradients of what is frozen" if adapters else _WHO_PLANS,
        f"{plain}: {{mfu_without_attention}} MFU",
    )
    yield (
        "Causal attention, each token sees those before it",
        "Megatron Core since 2024",
        "{causal_flops_per_token}: {mfu_causal} MFU",
    )
    yield (
        "Full attention, causal or not",
        "PaLM, Megatron 2021, LLM Foundry, nanotron, torchtitan",
        "{full_flops_per_token}: {mfu_full} MFU",
    )
    yield "What the hardware computes, recomputation too", "papers that print HFU", "{hfu} HFU"
    yield (
        "All hours that are billed, not only those of steps",
        "whoever pays",
        "{whole_run_mfu}, over {gpu_hours}",
    )
    if values["active_parameters"] < values["parameters"]:
        each = 4 if adapters else 6
        every = units.text(each * values["parameters"], "FLOP/token")
        yield (
            "All parameters of a mixture of experts, or the active ones",
            "who forgets the routing; this page",
            f"{every}, or {each} FLOPs for each of {{active_parameters}}: {plain}",
        )


CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="The same run at the same speed has another utilization by each way of counting a token's FLOPs.",
    columns=("Way of counting", "Who uses it", "What it makes of this run"),
    rows=rows,
)
