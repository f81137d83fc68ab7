"""The one vocabulary: inputs that several calculators share, each declared once so that a name means one quantity."""

import dataclasses
from functools import cache
from typing import Any, Literal

from calculators import facts
from calculators.configuration.telling import CONFIG_FILE
from calculators.declare import Default, Preset, choice, computed, quantity
from calculators.units import GIB

MODEL, MACHINE, SAVE, STORE, KEEP, RUN, SHARD = "model", "machine", "save", "store", "keep", "run", "shard"
Recompute = Literal["none", "selective", "full"]
DEFAULT_MODEL = "llama-3-70b"
DEFAULT_ACCELERATOR = "h100-sxm"
PRICE = "price-per-gpu-hour-h100"
_PRICES = {
    "h100-sxm": PRICE,
    "h200-sxm": "h200-specialist-on-demand",
    "a100-sxm-80gb": "a100-specialist-on-demand",
    "b200-sxm": "rent-b200-lambda.price_per_gpu_hour",
}
_SERVER_PRICES = {
    "h100-sxm": "server-price-h100",
    "h200-sxm": "server-price-h200",
    "b200-sxm": "server-price-b200",
}
_SERVERS = {
    "h100-sxm": "server-dgx-h100",
    "h200-sxm": "server-dgx-h100",
    "a100-sxm-80gb": "server-dgx-a100",
    "b200-sxm": "server-dgx-b200",
}
_LINKS = {
    "nccl-links-volta": ("v100-sxm-32gb",),
    "nccl-links-ampere": ("a100-sxm-80gb", "a100-sxm-40gb"),
    "nccl-links-hopper": ("h100-sxm", "h200-sxm"),
    "nccl-links-blackwell": ("b200-sxm", "b300-sxm"),
    "nccl-links-blackwell-rack": ("gb200", "gb300"),
    "rccl-links-mesh": ("mi300x", "mi325x", "mi355x"),
}
_OTHER_LINKS = "nccl-links-other"


def of_default_model(field: str) -> float:
    """A dimension of the model that stands in the menu when nobody chooses."""
    return float(facts.fact(f"{DEFAULT_MODEL}.{field}").value)


def _of_default_accelerator(field: str) -> facts.Fact:
    return facts.fact(f"{DEFAULT_ACCELERATOR}.{field}")


# What is counted from dimensions is filled only where a record says that they do not count it.
_WHOLE = {"parameters": "whole_parameters", "active_parameters": "whole_active"}


def models() -> tuple[facts.Record, ...]:
    """Every model of the menu, by publisher in the order in which publishers appear."""
    found = (*facts.records("models").values(), *facts.records("imported-models").values())
    vendors = list(dict.fromkeys(record.vendor for record in found))
    return tuple(sorted(found, key=lambda record: vendors.index(record.vendor)))


def model_preset(
    *fills: str, default: str = DEFAULT_MODEL, yields_to: tuple[str, ...] = (), beside: tuple[str, ...] = ()
) -> Preset:
    """The menu of models, filling inputs of the same names; `beside` those that tell nothing of which model it is."""
    whole = {name: _WHOLE[name] for name in yields_to}
    fields = {name: name for name in (*fills, *beside)} | whole
    return Preset(
        name="model",
        label="Model",
        records=models(),
        fills=fields,
        default=default,
        yields_to=yields_to,
        beside=beside,
        group=MODEL,
        file=CONFIG_FILE,
    )


def accelerator_preset(*fills: str, default: str = DEFAULT_ACCELERATOR, beside: tuple[str, ...] = ()) -> Preset:
    """The menu of accelerators, filling inputs of the same names; only those that state every field wanted.

    Those `beside` it are filled where they are known, such as the price of an hour.
    """
    known = facts.records("accelerators").items()
    records = tuple(_accelerator(key) for key, record in known if all(field in record.fields for field in fills))
    fields = {name: name for name in (*fills, *beside)}
    return Preset(
        name="accelerator",
        label="Accelerator",
        records=records,
        fills=fields,
        default=default,
        beside=beside,
        group=MACHINE,
    )


@cache
def _accelerator(key: str) -> facts.Record:
    """The record with what NCCL reckons with for links of its generation, and what is known of its price and server.

    Made once: half of all calculators offer it.
    """
    record = facts.all_records()[key]
    generation = next((links for links, devices in _LINKS.items() if key in devices), _OTHER_LINKS)
    known = {
        "price_per_gpu_hour": _PRICES.get(key, ""),
        "server_price_per_gpu": _SERVER_PRICES.get(key, ""),
        "host_power_per_gpu": f"{_SERVERS[key]}.host_power_per_gpu" if key in _SERVERS else "",
    }
    fields = {name: facts.fact(one) for name, one in known.items() if one}
    return dataclasses.replace(record, fields={**record.fields, **facts.all_records()[generation].fields, **fields})


def recipe_preset(
    name: str,
    label: str,
    *,
    prefix: str,
    default: str,
    fills: dict[str, str],
    group: str,
    aliases: tuple[str, ...] = (),
) -> Preset:
    """A menu of the records of rules.toml whose keys begin with `prefix`."""
    records = tuple(facts.records("rules", prefix).values())
    return Preset(name=name, label=label, records=records, fills=fills, default=default, group=group, aliases=aliases)


def parameters(*otherwise: Default) -> Any:
    """Model parameters, all of them, embeddings and every expert included."""
    return quantity(
        otherwise or of_default_model("parameters"),
        "parameter",
        "Model parameters",
        hard=(1e6, 1e15),
        slider=(1e9, 2e12),
        scale="log",
        help="All of them: embeddings and every expert included.",
        group=MODEL,
        aliases=("params",),
    )


def active_parameters(*otherwise: Default) -> Any:
    """Parameters that work on each token; all of them in a dense model."""
    return quantity(
        otherwise or computed("parameters", "all of them"),
        "parameter",
        "Active parameters",
        hard=(1e6, 1e15),
        slider=(1e9, 2e12),
        scale="log",
        help="Those that work on each token: all of a dense model, only the chosen experts of a mixture of experts.",
        group=MODEL,
    )


def gpus(otherwise: Default) -> Any:
    """Accelerators of the job."""
    return quantity(
        otherwise,
        "GPU",
        "GPUs in the job",
        hard=(1, 10e6),
        slider=(8, 131072),
        scale="log",
        whole=True,
        doubling=True,
        help="Accelerators that work on this one job.",
        group=MACHINE,
    )


def _count(
    otherwise: Default | tuple[Default, ...],
    unit: str,
    label: str,
    *,
    hard: tuple[float, float],
    slider: tuple[float, float],
    **more: Any,
) -> Any:
    group = more.pop("group", MODEL)
    return quantity(otherwise, unit, label, hard=hard, slider=slider, whole=True, group=group, **more)


def layers(*otherwise: Default) -> Any:
    """Transformer layers."""
    return _count(otherwise or of_default_model("layers"), "layer", "Layers", hard=(1, 10_000), slider=(8, 160))


def hidden(*otherwise: Default) -> Any:
    """Width of the residual stream."""
    return _count(otherwise or of_default_model("hidden"), "1", "Hidden size", hard=(16, 1e6), slider=(1024, 32768))


def heads(*otherwise: Default) -> Any:
    """Query heads per layer."""
    return _count(otherwise or of_default_model("heads"), "head", "Attention heads", hard=(1, 10_000), slider=(8, 192))


def kv_heads(*otherwise: Default) -> Any:
    """Key and value heads per layer; equal to the heads in multi-head attention, 1 in multi-query attention."""
    number = otherwise or of_default_model("kv_heads")
    return _count(number, "head", "Key-value heads", hard=(1, 10_000), slider=(1, 128))


def head_dim(*otherwise: Default) -> Any:
    """Width of one head."""
    width = otherwise or of_default_model("head_dim")
    return _count(width, "1", "Head dimension", hard=(1, 1e6), slider=(32, 256))


def sequence_length(otherwise: Default) -> Any:
    """Tokens in one training sequence."""
    return _count(
        otherwise,
        "token",
        "Sequence length",
        hard=(1, 100e6),
        slider=(512, 1048576),
        scale="log",
        doubling=True,
        help="Tokens in one training sequence.",
        aliases=("seq_len",),
    )


def tensor_parallel(default: float) -> Any:
    """Ranks over which each layer's matrices are split in training."""
    return _tensor_ranks(default, ("tp",))


def serving_tensor_parallel(default: float) -> Any:
    """Ranks over which each layer's matrices are split in serving."""
    return _tensor_ranks(default, ("tensor_parallel", "tp"))


def _tensor_ranks(default: float, aliases: tuple[str, ...]) -> Any:
    return quantity(
        default,
        "rank",
        "Tensor parallel",
        hard=(1, 1024),
        slider=(1, 32),
        scale="log",
        doubling=True,
        whole=True,
        help="GPUs that share each layer's matrices; normally those of one NVLink domain.",
        group=SHARD,
        aliases=aliases,
    )


def gpu_memory() -> Any:
    """Memory of one accelerator."""
    return quantity(
        _of_default_accelerator("gpu_memory"),
        "B",
        "GPU memory",
        hard=(GIB, 8192 * GIB),
        slider=(16 * GIB, 384 * GIB),
        binary=True,
        help="Memory of one accelerator, as its software reports it.",
        group=MACHINE,
    )


def training_overhead(default: facts.Fact, *, help: str) -> Any:  # noqa: A002
    """Memory of one accelerator that neither the model nor its training state occupies."""
    return _overhead(default, help)


def serving_overhead(default: facts.Fact, *, help: str) -> Any:  # noqa: A002
    """Memory of one accelerator that neither the weights served nor their cache occupy."""
    return _overhead(default, help)


def _overhead(default: facts.Fact, about: str) -> Any:
    return quantity(
        default,
        "B",
        "Overhead per GPU",
        hard=(0, 1024 * GIB),
        slider=(0, 16 * GIB),
        binary=True,
        help=about,
        group=MACHINE,
        aliases=("overhead",),
    )


def peak_flops() -> Any:
    """Arithmetic rate of one accelerator, dense."""
    return quantity(
        _of_default_accelerator("peak_flops"),
        "FLOP/s",
        "Peak FLOPs per GPU",
        hard=(1e9, 1e18),
        slider=(100e12, 5e15),
        scale="log",
        help="Dense, in the precision of the matrix products: bf16 as the menu fills it. Sparse figures are double.",
        group=MACHINE,
    )


def gpu_power() -> Any:
    """Electric power of one accelerator alone."""
    return quantity(
        _of_default_accelerator("gpu_power"),
        "W",
        "Power per GPU",
        hard=(0, 100e3),
        slider=(100, 2000),
        help="The most one GPU may draw, as its datasheet says; averages measured in training lie lower.",
        group=MACHINE,
    )


def memory_bandwidth() -> Any:
    """Bandwidth of one accelerator's memory."""
    return quantity(
        _of_default_accelerator("memory_bandwidth"),
        "B/s",
        "Memory bandwidth per GPU",
        hard=(1e9, 1e15),
        slider=(500e9, 20e12),
        scale="log",
        help="Of one GPU's own memory, as the datasheet prints it.",
        group=MACHINE,
    )


def link_bandwidth(group: str) -> Any:
    """Bandwidth of one accelerator's scale-up links."""
    return quantity(
        _of_default_accelerator("link_bandwidth"),
        "B/s",
        "Scale-up links per GPU",
        hard=(1e8, 1e15),
        slider=(32e9, 3.6e12),
        scale="log",
        help="Both directions added, as datasheets print them.",
        group=group,
    )


def recompute_choice(group: str, *, default: str = "none") -> Any:
    """Activation recomputation (checkpointing of activations, not of the run)."""
    options = {
        "none": "none: keep every activation",
        "selective": "selective: attention only",
        "full": "full: every layer runs its forward pass twice",
    }
    return choice(default, "Activation recomputation", options, group=group)
