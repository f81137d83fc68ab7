"""Conventions: MFU of the present run by each way of counting FLOPs per token."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import units
from calculators.declare.tables import Table
from calculators.llm.adapters import ADAPTERS

_WHO_PLANS = "Kaplan and Hoffmann; most plans and most prices"


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each convention, who uses it, and what it gives for these values."""
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
    yield "Hardware FLOPs, recomputation included", "papers that print HFU", "{hfu} HFU"
    yield (
        "All billed hours, not only steps",
        "budget owners",
        "{whole_run_mfu}, over {gpu_hours}",
    )
    if values["active_parameters"] < values["parameters"]:
        each = 4 if adapters else 6
        every = units.text(each * values["parameters"], "FLOP/token")
        yield (
            "All parameters of a mixture of experts, or the active ones",
            "counts that ignore routing; this page",
            f"{every}, or {each} FLOPs for each of {{active_parameters}}: {plain}",
        )


CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="The same run at the same speed has a different MFU by each way of counting FLOPs per token.",
    columns=("Way of counting", "Who uses it", "Result for this run"),
    rows=rows,
)
