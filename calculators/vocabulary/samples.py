"""Inputs that training and serving in samples share: the work, activations and tables of a model that is no decoder."""

from typing import Any

from calculators import facts
from calculators.declare import Preset, quantity
from calculators.vocabulary.groups import MODEL

DEFAULT_MODEL = "sample-model-resnet-50"
MENU = "trained_model"


def of_default_model(field: str) -> Any:
    """Value of a field of the default model."""
    return facts.fact(f"{DEFAULT_MODEL}.{field}").value


def sample_models() -> dict[str, facts.Record]:
    """Every model that is counted in samples, by key."""
    return dict(facts.records("sample-models", "sample-model-"))


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
