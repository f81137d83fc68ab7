"""Curve of throughput over interactivity: one point for each batch, and published measurements."""

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
    """Batches of the curve: powers of two, the batches half way between them, and the largest that may run."""
    most = max(1.0, float(values["serving_max_sequences"]))
    found, doubled = [1.0], 2.0
    while found[-1] < most:
        found += [one for one in (doubled, doubled * 3 / 2) if one < most] or [most]
        doubled *= 2
    return found


def _target(values: Mapping[str, Any]) -> float:
    return float(1 / values["tpot_target"])


def marks(values: Mapping[str, Any]) -> list[Mark]:
    """Published points of this service: same model, GPU, ranks, weight precision, input and output tokens."""
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


def operating(values: Mapping[str, Any]) -> Mark | None:
    """Speed of a user and of a GPU at the present load; None where nothing fits or the fleet is overloaded."""
    load, ranks = values["replica_load"], values["serving_tensor_parallel"]
    if load is None:
        return None
    replicas = values["replicas"]
    share = replicas / (replicas + values["prefill_replicas"])
    return Mark(label="at this load", across=1 / load.tpot, up=load.rate * values["output_tokens"] / ranks * share)


CURVE = Tradeoff(
    title="Throughput over interactivity",
    about="One point for each batch of a replica: small and fast on the right, large and slow on the left, up to what "
    "memory or max_num_seqs allows.",
    along="concurrent_sequences",
    across="full_batch_tokens_per_second_per_user",
    up="serving_tokens_per_second_per_gpu",
    places=places,
    end_label="limit of memory or max_num_seqs",
    target=_target,
    target_label="TPOT target",
    marks=marks,
    operating=operating,
)
