"""Inputs that training and serving in samples share: the work, activations and tables of a model that is no decoder."""

import re
import shlex
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from calculators import facts
from calculators.declare import Preset, quantity
from calculators.vocabulary.groups import MODEL

DEFAULT_MODEL = "sample-model-resnet-50"
MENU = "trained_model"
TRAINING, SERVING = "sample_training", "sample_inference"
_PREFIX = "sample-model-"
_NO_LETTERS = re.compile(r"[^a-z0-9]")
_IDENTIFYING = ("trained_parameters", "forward_flops", "activation_values")
_BATCH = {TRAINING: "batch_size", SERVING: "serving_batch"}
# What goes along from a calculator of language models, by its name there.
_DEVICE = ("accelerator", "peak_flops", "memory_bandwidth", "gpu_memory", "price_per_gpu_hour")
CARRIED: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        TRAINING: {name: name for name in (*_DEVICE, "training_precision", "gpus", "goodput")}
        | {"micro_batch": "batch_size"},
        SERVING: {name: name for name in (*_DEVICE, "peak_flops_fp8", "target_utilization")}
        | {"request_rate": "sample_request_rate"},
    }
)


def of_default_model(field: str) -> Any:
    """Value of a field of the default model."""
    return facts.fact(f"{DEFAULT_MODEL}.{field}").value


def sample_models() -> dict[str, facts.Record]:
    """Every model that is counted in samples, by key."""
    return dict(facts.records("sample-models", _PREFIX))


def _plainly(name: str) -> str:
    return _NO_LETTERS.sub("", name.lower())


# Made at import: the page's Python can read no more records then.
_NAMES = {key: (_plainly(key.removeprefix(_PREFIX)), _plainly(one.name)) for key, one in sample_models().items()}


def _meant(typed: str, known: str) -> facts.Record | None:
    """The model whose key or name begins like this, if it is one alone; of several the one with the fact `known`."""
    words = _plainly(typed)
    found = [
        sample_models()[key]
        for key, names in _NAMES.items()
        if len(words) > 1 and any(one.startswith(words) for one in names)
    ]
    if len(found) > 1:
        found = [record for record in found if known in record.fields]
    return found[0] if len(found) == 1 else None


def _elsewhere(calculator: str, known: str, typed: str, given: Mapping[str, Any]) -> str:
    """Sentence that refers a model to `calculator`, as a command with what was given; empty for an unknown name."""
    record = _meant(typed, known)
    if record is None:
        return ""
    options = {MENU: record.key}
    if known not in record.fields:
        options = {name: record.fields[name].text for name in _IDENTIFYING} | {_BATCH[calculator]: "1"}
    options |= {there: str(given[name]) for name, there in CARRIED[calculator].items() if name in given}
    command = " ".join(f"--{name.replace('_', '-')} {shlex.quote(text)}" for name, text in options.items())
    what = f"{record.name} is not a language model, and is counted in samples"
    return f"{what}: python -m calculators {calculator} {command}"


def trained_elsewhere(typed: str, given: Mapping[str, Any]) -> str:
    """Sentence on a name that training in samples knows."""
    return _elsewhere(TRAINING, "samples_trained", typed, given)


def served_elsewhere(typed: str, given: Mapping[str, Any]) -> str:
    """Sentence on a name that serving in samples knows."""
    return _elsewhere(SERVING, "sample_request_rate", typed, given)


def sample_model_preset(*fills: str, secondary: tuple[str, ...], known: tuple[str, ...] = ()) -> Preset:
    """Menu of the models with facts for all of `fills` and `known`; `secondary` inputs are filled where known."""
    needed = {*fills, *known}
    return Preset(
        name=MENU,
        label="Model",
        records=tuple(record for record in sample_models().values() if record.fields.keys() >= needed),
        fills={name: name for name in (*fills, *secondary)},
        default=DEFAULT_MODEL,
        secondary=secondary,
        group=MODEL,
    )


def trained_parameters() -> Any:
    """Parameters outside embedding tables."""
    return quantity(
        of_default_model("trained_parameters"),
        "parameter",
        "Parameters outside embedding tables",
        hard=(1e3, 1e15),
        slider=(1e6, 1e12),
        scale="log",
        help="Every GPU holds all of them.",
        group=MODEL,
    )


def forward_flops() -> Any:
    """FLOPs of one forward pass for one sample."""
    return quantity(
        of_default_model("forward_flops"),
        "FLOP/sample",
        "FLOPs of a forward pass",
        hard=(1e3, 1e18),
        slider=(1e9, 1e14),
        scale="log",
        help="Twice the multiply-accumulate operations (MACs) that tables print, at the size of input in use.",
        group=MODEL,
    )


def activation_values() -> Any:
    """Outputs of all layers for one sample."""
    return quantity(
        of_default_model("activation_values"),
        "1",
        "Activation values per sample",
        hard=(0, 1e14),
        slider=(1e6, 1e10),
        scale="log",
        help="Outputs of all convolutions and linear layers, as timm counts them.",
        group=MODEL,
    )


def embedding_bytes() -> Any:
    """Size of the embedding tables as trained."""
    return quantity(
        0,
        "B",
        "Embedding tables",
        hard=(0, 1e16),
        slider=(0, 1e13),
        help="Of a recommender, as trained; split over the GPUs.",
        group=MODEL,
    )


def embedding_read() -> Any:
    """Bytes of the embedding rows that one sample looks up."""
    return quantity(
        0,
        "B",
        "Embedding rows per sample",
        hard=(0, 1e9),
        slider=(0, 1e6),
        help="Lookups times the bytes of a row.",
        group=MODEL,
    )
