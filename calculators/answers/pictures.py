"""Pictures of an answer: places, a legend in one unit, and a note on everything not drawn to scale."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import units
from calculators.declare import Calculator, Choice, pictures


def drawn(calculator: Calculator, values: Mapping[str, Any]) -> dict[str, Any]:
    """Places, legend and note of the pictures; all empty for a calculator without a picture.

    Places of the second picture begin with "second.".
    """
    places: dict[str, Mapping[str, str]] = {}
    legend: dict[str, str] = {}
    notes: list[str] = []
    for prefix, picture in (("", calculator.picture), ("second.", calculator.second_picture)):
        if picture is not None:
            drawing = pictures.drawing(picture, values)
            places |= {prefix + place: at for place, at in drawing.places.items()}
            shown = _texts_of_one_unit(calculator, picture, [values[name] for name in picture.shown])
            legend |= dict(zip(picture.shown, shown, strict=True))
            notes += _notes(calculator, picture, drawing, values, legend)
    return {"picture": places, "legend": legend, "picture_note": " ".join(notes)}


def _notes(
    calculator: Calculator,
    picture: pictures.Bars,
    drawing: pictures.Drawing,
    values: Mapping[str, Any],
    legend: Mapping[str, str],
) -> Iterator[str]:
    """A sentence on every bar that is not drawn to scale."""
    if drawing.group:
        yield f"Each block is {drawing.group:,}." if drawing.group > 1 else "Each block is one."
    if drawing.widened:
        listed = [f"{_label(calculator, name)} ({legend[name]})" for name in drawing.widened if name in legend]
        others = ["parts of other bars"] if len(listed) < len(drawing.widened) else []
        *first, last = [*listed, *others]
        yield f"Drawn wider than to scale: {' and '.join([*([', '.join(first)] if first else []), last])}."
    for row in drawing.cut:
        whole = sum(max(0.0, values[segment.value]) for segment in picture.rows[row].segments)
        cut_text, end = _texts_of_one_unit(calculator, picture, [drawing.edge, whole])
        yield f"{picture.rows[row].label}: cut off at {cut_text}, goes on to {end}."


def _label(calculator: Calculator, name: str) -> str:
    label = calculator.declared(name).label
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]


def _texts_of_one_unit(calculator: Calculator, picture: pictures.Bars, values: list[float]) -> tuple[str, ...]:
    declared = calculator.declared(picture.shown[0])  # all are in one unit
    if isinstance(declared, Choice):
        return tuple(str(value) for value in values)
    return units.texts_in_one_unit(tuple(values), declared.unit, binary=declared.binary)
