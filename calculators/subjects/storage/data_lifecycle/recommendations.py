"""Recommendations: delete first, then the cheapest placement, packing, cores, and the order that is due."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import facts, units
from calculators.subjects.storage.data_lifecycle import media
from calculators.subjects.storage.data_lifecycle.media import Medium
from calculators.subjects.storage.data_lifecycle.streams import COLD, HOT, WARM

_PACKED = float(facts.fact("packed-object").value)
_SHORT_LOGS = float(facts.fact("short-log-retention").value)
_WORTH = 0.95  # of the bill: what saves less is no recommendation


def recommendations(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Changes that turn a verdict or save 5% of the bill, those that cost nothing first."""
    if values["capacity"].level != "good":
        if values["log_retention"] > _SHORT_LOGS:
            yield "Keep logs for {log_retention}", {"log_retention": _SHORT_LOGS}
        if values["warm_versions"] > 0:
            yield "Keep no old version of prepared data", {"warm_versions": 0.0}
        yield from _ordered(values)
    if values["object_size"] < _PACKED and (values["warm_tier"].rented or values["cold_tier"].rented):
        yield "Pack raw data into objects of {object_size}", {"object_size": _PACKED}
    if values["prepared_in_time"].level != "good":
        needed = values["prep_time"] * values["prep_cores"] / (values["version_interval"] / 4)
        yield "Prepare on {prep_cores}", {"prep_cores": units.rounded_up(needed, "core")}
    if values["restored"].level == "bad" and values["tape_drives_needed"]:
        yield "Use as many tape drives as needed", {"tape_drives": None}
    if values["copies"].level != "good":
        missing = max(0.0, 2 - values["replica_sites"] - values["backup_copies"])
        more = values["backup_copies"] + missing
        if missing and more <= values["replica_sites"] + 2:
            yield "Keep {backup_copies} backup copies", {"backup_copies": more}
    cheapest = values["search"].cheapest
    if cheapest and cheapest.cost < _WORTH * values["bill_total"]:
        months = cheapest.months * values["calendar_month"]
        label = (
            f"Raw data cold after {{cold_after}}, on {media.name_of(cheapest.warm)} and {media.name_of(cheapest.cold)}"
        )
        yield (
            label,
            {
                "cold_after": min(months, values["kept_for"]),
                **_medium("warm", cheapest.warm),
                **_medium("cold", cheapest.cold),
            },
        )


def _medium(tier: str, key: str) -> dict[str, Any]:
    """Inputs of a tier on another medium."""
    listed = media.listed(key)
    return {f"{tier}_{name}": getattr(listed, name) for name in media.FIELDS[tier]}


def _ordered(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Buying what the plan needs, tier by tier."""
    changes: dict[str, Any] = {}
    for tier, name in ((HOT, "hot"), (WARM, "warm"), (COLD, "cold")):
        medium: Medium = values[f"{name}_tier"]
        if values[f"{name}_runs_out"] is not None:
            changes[f"{name}_bought"] = units.rounded_up(values["plan"].at(tier) * medium.raw_per_stored, "B")
    if changes:
        named = ", ".join(f"{{{name}}} {name.removesuffix('_bought')}" for name in changes)
        yield f"Buy {named}", changes
