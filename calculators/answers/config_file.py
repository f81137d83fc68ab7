"""A configuration file that the reader pastes instead of choosing a menu's record: inputs it fills, and a summary."""

from collections.abc import Mapping

from calculators.answers import messages
from calculators.declare import Calculator, Choice, Input, InputError, Preset, Read


def menu_of(calculator: Calculator) -> Preset | None:
    """The menu that a file may replace; None where no menu takes files."""
    return next((preset for preset in calculator.presets if preset.file is not None), None)


def given(calculator: Calculator, text: str) -> dict[str, str]:
    """Texts of the inputs that a file sets. Raises ValueError naming every part that could not be read."""
    return _texts(calculator, _read(calculator, text))


def summary(calculator: Calculator, text: str) -> list[str]:
    """Sentence and remarks on a file. Raises ValueError naming every part that could not be read."""
    found = _read(calculator, text)
    return [found.sentence, *found.remarks]


def _read(calculator: Calculator, text: str) -> Read:
    menu = menu_of(calculator)
    if menu is None or menu.file is None:
        raise InputError({"config": f"{calculator.title} does not read a configuration file"})
    return menu.file.read(text)


def _texts(calculator: Calculator, found: Read) -> dict[str, str]:
    values = ((calculator.inputs.get(name), name, value) for name, value in found.values.items())
    return {name: _text(declared, value) for declared, name, value in values if declared is not None}


def _text(declared: Input, value: object) -> str:
    if isinstance(declared, Choice):
        return declared.key(value)
    assert isinstance(value, int | float)  # noqa: S101  what is no choice is a number
    return declared.box(float(value))


def response(calculator: Calculator, own: Mapping[str, str], text: str) -> messages.Imported:
    """Summary of a pasted file and the changes that it makes, or the problem where it cannot be read.

    Secondary inputs that the reader set keep their values: a model's file does not say on how many tokens to train.
    """
    nothing: messages.Imported = {"problem": "", "sentence": "", "remarks": [], "strip": "", "parts": [], "changes": {}}
    menu = menu_of(calculator)
    if menu is None or not text.strip():
        return nothing
    try:
        found = _read(calculator, text)
    except ValueError as error:
        return {**nothing, "problem": f"No input was filled in: {error}."}
    secondary = {name: own[name] for name in menu.secondary if own.get(name)}
    return {
        "problem": "",
        "sentence": found.sentence,
        "remarks": list(found.remarks),
        "strip": "\n".join(found.strip),
        "parts": [{"label": label, "number": number, "share": share} for label, number, share in found.parts],
        "changes": {menu.name: "none", **secondary, **_texts(calculator, found)},
    }
