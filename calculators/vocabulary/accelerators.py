"""Accelerators: the menu of devices with their links, price and server, and the inputs it fills."""

import dataclasses
from functools import cache
from typing import Any

from calculators import facts
from calculators.declare import Default, Preset, not_applicable, quantity
from calculators.units import GIB
from calculators.vocabulary.groups import MACHINE

DEFAULT_ACCELERATOR = "h100-sxm"
# Relations that name a record of several facts: NCCL's constants for its links, and its entry in the menu of servers.
_LINKS, _SERVER = "links", "server"


@cache
def accelerators() -> tuple[facts.Record, ...]:
    """Every accelerator, with the facts of its related records."""
    return tuple(_with_related(record) for record in facts.records("accelerators").values())


def _with_related(record: facts.Record) -> facts.Record:
    links = facts.all_records()[record.related[_LINKS]].fields
    named = {field: facts.fact(key) for field, key in record.related.items() if field not in {_LINKS, _SERVER}}
    return dataclasses.replace(record, fields={**record.fields, **_speedups(record), **links, **named})


def _speedups(record: facts.Record) -> dict[str, facts.Fact]:
    """Peak rates of 8-bit and 4-bit matrix products over that of bf16, where the device has them."""
    peak, found = record.fields["peak_flops"], {}
    for bits in (8, 4):
        low = record.fields.get(f"peak_flops_fp{bits}")
        if low is not None and low.value > peak.value:
            found[f"fp{bits}_speedup"] = dataclasses.replace(
                low, key=f"{record.key}.fp{bits}_speedup", value=low.value / peak.value, unit="1", low=None, high=None
            )
    return found


def accelerator_preset(*fills: str, default: str = DEFAULT_ACCELERATOR, optional: tuple[str, ...] = ()) -> Preset:
    """Menu of the accelerators with facts for all of `fills`, filling inputs of the same names.

    The `optional` ones are filled where they are known, such as the price of a GPU-hour.
    """
    return Preset(
        name="accelerator",
        label="Accelerator",
        records=tuple(one for one in accelerators() if one.fields.keys() >= set(fills)),
        fills={name: name for name in (*fills, *optional)},
        default=default,
        secondary=optional,
        aliases=("gpu",),
        group=MACHINE,
    )


def server_of(record: facts.Record) -> str:
    """Key of the server that an accelerator is sold in; empty where no such server is among the facts."""
    return record.related.get(_SERVER, "")


def _of_default(field: str) -> facts.Fact:
    return facts.fact(f"{DEFAULT_ACCELERATOR}.{field}")


def gpus(default: Default) -> Any:
    """Accelerators of the job."""
    return quantity(
        default,
        "GPU",
        "GPUs in the job",
        hard=(1, 10e6),
        slider=(8, 65536),  # what three tiers of the usual switch connect
        scale="log",
        whole=True,
        doubling=True,
        help="Accelerators that this one job runs on.",
        group=MACHINE,
        aliases=("num_gpus", "world_size"),
    )


def gpu_memory() -> Any:
    """Memory of one accelerator."""
    return quantity(
        _of_default("gpu_memory"),
        "B",
        "GPU memory",
        hard=(GIB, 8192 * GIB),
        slider=(16 * GIB, 384 * GIB),
        binary=True,
        help="Memory of one accelerator, as its software reports it.",
        group=MACHINE,
    )


def training_overhead(default: facts.Fact, *, help: str) -> Any:  # noqa: A002
    """Memory of one accelerator taken by neither model nor training state."""
    return _overhead(default, help)


def serving_overhead(default: facts.Fact, *, help: str) -> Any:  # noqa: A002
    """Memory of one accelerator taken by neither weights nor KV cache."""
    return _overhead(default, help)


def _overhead(default: facts.Fact, about: str) -> Any:
    return quantity(
        default,
        "B",
        "Memory overhead per GPU",
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
        _of_default("peak_flops"),
        "FLOP/s",
        "Peak FLOP/s per GPU",
        hard=(1e9, 1e18),
        slider=(100e12, 5e15),
        scale="log",
        help="Dense, in the precision of the matrix products: the menu fills in bf16. Sparse figures are double.",
        group=MACHINE,
    )


def narrow_peak_flops(bits: int, most: float) -> Any:
    """Arithmetic rate of one accelerator in narrower numbers, dense; nothing where it has no such rate."""
    return quantity(
        not_applicable("no such rate"),
        "FLOP/s",
        f"Peak FLOPs per GPU in {bits} bits",
        hard=(1e9, 1e18),
        slider=(100e12, most),
        scale="log",
        help="Dense.",
        group=MACHINE,
    )


def gpu_power() -> Any:
    """Rated electric power of one accelerator alone."""
    return quantity(
        _of_default("gpu_power"),
        "W",
        "Rated power per GPU",
        hard=(0, 100e3),
        slider=(100, 2000),
        help="Maximum power of one GPU (TDP), as its datasheet states it; averages measured in training are lower.",
        group=MACHINE,
    )


def memory_bandwidth() -> Any:
    """Bandwidth of one accelerator's memory."""
    return quantity(
        _of_default("memory_bandwidth"),
        "B/s",
        "Memory bandwidth per GPU",
        hard=(1e9, 1e15),
        slider=(500e9, 20e12),
        scale="log",
        help="Bandwidth of one GPU's own memory (HBM), as the datasheet prints it.",
        group=MACHINE,
    )


def link_bandwidth(group: str) -> Any:
    """Bandwidth of one accelerator's scale-up links."""
    return quantity(
        _of_default("link_bandwidth"),
        "B/s",
        "Scale-up bandwidth per GPU",
        hard=(1e8, 1e15),
        slider=(32e9, 3.6e12),
        scale="log",
        help="NVLink or its like, both directions added, as datasheets print it.",
        group=group,
    )


def matrix_reach(group: str) -> Any:
    """Share of peak that matrix products reach on one accelerator, over that of the devices of the fit."""
    return quantity(
        1,
        "1",
        "Matrix kernels against the fit's GPUs",
        hard=(0.1, 2),
        slider=(0.5, 1.5),
        help="Share of peak that large matrix products reach on this device, over that of H100, B200 and GB200.",
        group=group,
    )
