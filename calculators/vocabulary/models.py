"""Models: the menu of published models and the dimensions that it fills."""

from typing import Any

from calculators import facts
from calculators.configuration.report import CONFIG_FILE
from calculators.declare import Default, Preset, computed, quantity
from calculators.vocabulary import samples
from calculators.vocabulary.groups import MODEL

DEFAULT_MODEL = "llama-3-70b"
_SIZES = ("parameters", "active_parameters")  # how large a model fits is a question; how many layers is not
# Counts that a record states as a whole because its dimensions do not give them (some layers keep a state).
_WHOLE = {"parameters": "whole_parameters", "active_parameters": "whole_active"}


def of_default_model(field: str) -> float:
    """Dimension of the menu's default model."""
    return float(facts.fact(f"{DEFAULT_MODEL}.{field}").value)


def models() -> tuple[facts.Record, ...]:
    """Every model of the menu, grouped by publisher."""
    found = (*facts.records("models").values(), *facts.records("imported-models").values())
    vendors = list(dict.fromkeys(record.vendor for record in found))
    return tuple(sorted(found, key=lambda record: vendors.index(record.vendor)))


def model_preset(
    *fills: str,
    default: str = DEFAULT_MODEL,
    yields_to: tuple[str, ...] = (),
    incidental: tuple[str, ...] = (),
    serves: bool = False,
) -> Preset:
    """Menu of models that fills inputs of the same names; `incidental` ones do not identify the model.

    A model that is no language model is referred to the calculator of training in samples, or of serving if `serves`.
    """
    whole = {name: _WHOLE[name] for name in yields_to}
    return Preset(
        name="model",
        label="Model",
        records=models(),
        fills={name: name for name in (*fills, *incidental)} | whole,
        default=default,
        yields_to=yields_to,
        secondary=incidental,
        fixed=tuple(name for name in fills if name not in _SIZES),
        group=MODEL,
        file=CONFIG_FILE,
        elsewhere=samples.served_elsewhere if serves else samples.trained_elsewhere,
    )


def parameters(*default: Default) -> Any:
    """Total parameters of the model."""
    return quantity(
        default or of_default_model("parameters"),
        "parameter",
        "Model parameters",
        hard=(1e6, 1e15),
        slider=(1e9, 2e12),
        scale="log",
        help="All of them: embeddings and every expert included.",
        group=MODEL,
        aliases=("params",),
    )


def active_parameters(*default: Default) -> Any:
    """Parameters active per token; all of them in a dense model."""
    return quantity(
        default or computed("parameters", "all layers"),
        "parameter",
        "Active parameters",
        hard=(1e6, 1e15),
        slider=(1e9, 2e12),
        scale="log",
        help="Parameters used for each token: all of a dense model, only the chosen experts of a mixture of experts.",
        group=MODEL,
    )


def _count(
    default: Default | tuple[Default, ...],
    unit: str,
    label: str,
    *,
    hard: tuple[float, float],
    slider: tuple[float, float],
    **more: Any,
) -> Any:
    return quantity(default, unit, label, hard=hard, slider=slider, whole=True, group=MODEL, **more)


def layers(*default: Default) -> Any:
    """Transformer layers."""
    return _count(default or of_default_model("layers"), "layer", "Layers", hard=(1, 10_000), slider=(8, 160))


def hidden(*default: Default) -> Any:
    """Width of the residual stream."""
    return _count(default or of_default_model("hidden"), "1", "Hidden size", hard=(16, 1e6), slider=(1024, 32768))


def heads(*default: Default) -> Any:
    """Query heads per layer."""
    return _count(default or of_default_model("heads"), "head", "Attention heads", hard=(1, 10_000), slider=(8, 192))


def kv_heads(*default: Default) -> Any:
    """Key and value heads per layer; equal to the heads in multi-head attention, 1 in multi-query attention."""
    number = default or of_default_model("kv_heads")
    return _count(number, "head", "Key-value heads", hard=(1, 10_000), slider=(1, 128))


def head_dim(*default: Default) -> Any:
    """Width of one head."""
    width = default or of_default_model("head_dim")
    return _count(width, "1", "Head dimension", hard=(1, 1e6), slider=(32, 256))


def sequence_length(default: Default) -> Any:
    """Tokens in one training sequence."""
    return _count(
        default,
        "token",
        "Sequence length",
        hard=(1, 100e6),
        slider=(512, 1048576),
        scale="log",
        doubling=True,
        help="Tokens in one training sequence.",
        aliases=("seq_len", "seq_length"),
    )
