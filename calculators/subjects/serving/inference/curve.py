"""The curve of throughput against interactivity: one point for each number of sequences, and what others measured."""

from collections.abc import Mapping
from typing import Any

from calculators import facts
from calculators.declare import Mark, Tradeoff

_NIM = facts.records("serving-points")["nim-70b-fp8-two-h100"]
_CLIENTS = (1, 5, 25, 50, 100)
_SERVED = {
    "layers": facts.fact("llama-3-70b.layers").value,
    "hidden": facts.fact("llama-3-70b.hidden").value,
    "memory_bandwidth": facts.fact("h100-sxm.memory_bandwidth").value,
}


def places(values: Mapping[str, Any]) -> list[float]:
    """Doublings of the sequences that run, what lies half way between them, and as many as may."""
    most = max(1.0, float(values["serving_max_sequences"]))
    found, doubled = [1.0], 2.0
    while found[-1] < most:
        found += [one for one in (doubled, doubled * 3 / 2) if one < most] or [most]
        doubled *= 2
    return found


def _target(values: Mapping[str, Any]) -> float:
    return float(1 / values["tpot_target"])


def marks(values: Mapping[str, Any]) -> list[Mark]:
    """The published points of this service: model, GPU, ranks, width of weights, prompt and answer are theirs."""
    same = all(values[name] == served for name, served in _SERVED.items())
    shape = values["input_tokens"] == _NIM.value("prompt") and values["output_tokens"] == _NIM.value("answer")
    if not (
        same and shape and values["serving_tensor_parallel"] == _NIM.value("ranks") and values["weight_bytes"] == 1
    ):
        return []
    return [
        Mark(
            label=_NIM.name,
            across=1 / _NIM.value(f"gap_{clients}"),
            up=_NIM.value(f"rate_{clients}") / _NIM.value("ranks"),
        )
        for clients in _CLIENTS
    ]


CURVE = Tradeoff(
    title="Throughput against interactivity",
    about="One point for each number of sequences that run in a copy: few and fast on the right, many and slow on the "
    "left, up to what memory or the engine holds.",
    along="concurrent_sequences",
    across="tokens_per_second_per_user",
    up="serving_tokens_per_second_per_gpu",
    places=places,
    end_label="memory or the engine holds no more",
    target=_target,
    target_label="target",
    marks=marks,
)
