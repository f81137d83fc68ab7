"""Response to a page about the reader's own facts: what was read of them, and own records in a calculator's menus."""

from calculators.answers.messages import Answer
from calculators.catalog import CALCULATORS
from calculators.declare import Preset
from calculators.facts.overlay import overlay
from calculators.facts.overlay_records import OWN
from calculators.page.machine import MACHINES


def response(name: str) -> Answer:
    """Own facts, with the menus of the calculator or system of this name, if there is one."""
    calculator = MACHINES[name]() if name in MACHINES else CALCULATORS.get(name)
    presets = calculator.presets if calculator else ()
    menus = {preset.name: own for preset in presets if (own := _own(preset))}
    return {"own": {"named": overlay().named, "problems": overlay().problems, "menus": menus}}


def _own(preset: Preset) -> dict[str, str]:
    return {
        record.key: record.name for record in preset.records if any(fact.kind == OWN for fact in record.fields.values())
    }
