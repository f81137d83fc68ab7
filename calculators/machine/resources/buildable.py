"""What advice can be built and followed: links that carry it, devices that are better, hits that have a tier."""

from collections.abc import Generator, Mapping
from typing import Any

from calculators import facts, units
from calculators.declare import Choice, Preset
from calculators.facts import Record
from calculators.machine.kinds import Machine

_PCIE_5 = float(facts.fact("pcie-5-x16.one_way").value)
_WATTS = ("switch_power", "gpu_power")
_LATENCIES = ("fastest_tpot", "prefill_time")
_TIER, _HITS = "offload_tier", "prefix_cache_hit_rate"
# What a missing tier can be better at; more replicas, which prompts prefilled again take, fix other verdicts.
OF_TIER = frozenset(("KV-cache offload", "Latency targets"))

Together = tuple[str, Mapping[str, str], Mapping[str, Any]]


def is_part_of_a_rack(after: Mapping[str, Any]) -> bool:
    """Whether these GPUs are fewer than those of a rack that is sold whole."""
    nodes = after.get("rack_nodes")
    return nodes is not None and after["gpus"] < nodes * after["gpus_per_node"]


def racks_of(found: Machine, after: Mapping[str, Any]) -> str:
    """What racks that are sold whole need of a hall that has none yet, in words; else nothing."""
    if after.get("rack_nodes") is None or found.values["rack_nodes"] is not None:
        return ""
    return f", in racks of {units.text(after['rack_power'], 'W')}"


def exceeds_host_link(found: Machine, after: Mapping[str, Any]) -> bool:
    """Whether a network card would be faster than the PCIe slot of its GPU: version 5 where none is stated."""
    now, then = found.values["nic_bandwidth"], after["nic_bandwidth"]
    return bool(then > now and then > _host_link(found))


def _host_link(found: Machine) -> float:
    (menu,) = (one for one in found.calculator.presets if one.name == "accelerator")
    record = menu.by_key.get(found.resolved.presets["accelerator"])
    return float(record.value("host_link") or _PCIE_5) if record else _PCIE_5


def lacks_watts(found: Machine, menu: Preset, record: Record) -> bool:
    """Whether a record leaves the power of its device at that of another one."""
    named = [name for name in _WATTS if name in menu.fills and found.resolved.origins[name] != "yours"]
    return any(menu.fills[name] not in record.fields for name in named)


def is_slower(found: Machine, after: Mapping[str, Any]) -> bool:
    """Whether the job takes longer or more GPUs, and no request is answered sooner."""
    first = found.kind.measures[0].result
    sooner = any(after[name] < found.values[name] for name in _LATENCIES if name in after)
    return bool(after[first] > found.values[first]) and not sooner


def needs_its_tier(found: Machine, name: str, option: object) -> bool:
    """Whether an option drops the tier that prefix-cache hits are read from."""
    return name == _TIER and option == "none" and found.values[_HITS] > 0


def each_without_tier(found: Machine) -> Generator[None, None, Together | None]:
    """Title, inputs and values without the offload tier and without its hits: every prompt is prefilled again."""
    values = found.values
    if values.get(_TIER, "none") == "none" or not values[_HITS]:
        return None
    after = yield from found.solved({_TIER: "none", _HITS: 0.0})
    if after is None:
        return None
    tier, hits = found.calculator.inputs[_TIER], found.calculator.inputs[_HITS]
    assert isinstance(tier, Choice)  # noqa: S101  for mypy
    title = f"{tier.label}: none instead of {tier.text(values[_TIER])}, and {hits.label.lower()} {hits.text(0.0)}"
    return title, {_TIER: tier.box("none"), _HITS: hits.box(0.0)}, after
