"""A model's own config.json on the command line and in the page: what it says of the inputs of a calculator."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from calculators.declare import Calculator, Choice, Quantity
from calculators.model import configuration
from calculators.model.configuration import filling, telling

COMMAND = "model"
_BAD_INPUT = 2


def takes_one(calculator: Calculator) -> bool:
    """Whether a calculator has a menu of models, in whose place a configuration may stand."""
    return any(preset.name == COMMAND for preset in calculator.presets)


def given(calculator: Calculator, text: str) -> dict[str, str]:
    """What a config.json gives of a calculator's inputs, as texts. Raises ValueError with every problem.

    Only inputs that the menu of models fills, and the parameters: what a model does not say stays the reader's.
    """
    found = filling.dimensions(configuration.read(text))
    return texts(calculator, found)


def texts(calculator: Calculator, found: Mapping[str, object]) -> dict[str, str]:
    """Dimensions as the texts of the inputs of a calculator that they may fill."""
    told: dict[str, str] = {}
    for preset in calculator.presets:
        if preset.name != COMMAND:
            continue
        for name in dict.fromkeys((*preset.fills, *preset.yields_to, *found)):
            declared = calculator.inputs.get(name)
            if declared is not None and name in found and name not in preset.beside:
                told[name] = _text(declared, found[name])
    return told


def _text(declared: Quantity | Choice, value: object) -> str:
    if isinstance(declared, Choice):
        return declared.key(value) if isinstance(value, bool) else str(value)
    assert isinstance(value, int | float)  # noqa: S101  dimensions are numbers
    return declared.box(float(value))


def read_file(file: str) -> str:
    """The text of a file. Raises ValueError with a sentence where there is none."""
    try:
        return Path(file).read_text("utf-8")
    except UnicodeDecodeError:
        message = "this is no text"
        raise ValueError(message) from None
    except OSError as error:
        message = f"it cannot be read: {(error.strerror or str(error)).lower()}"
        raise ValueError(message) from None


def main(arguments: Sequence[str]) -> int:
    """Tell what a configuration says of its model; return the exit code."""
    parser = argparse.ArgumentParser(
        prog=f"python -m calculators {COMMAND}",
        description="What are this model's dimensions, exactly?",
        allow_abbrev=False,
    )
    parser.add_argument("--config", metavar="FILE", required=True, help="a model's config.json")
    parser.add_argument("--json", action="store_true", help="as JSON")
    options = parser.parse_args(arguments)
    try:
        found = configuration.read(read_file(options.config))
    except configuration.ConfigurationError as error:
        sys.stderr.writelines(f"{options.config}: {problem}\n" for problem in error.problems)
        return _BAD_INPUT
    except ValueError as error:
        sys.stderr.write(f"{options.config}: {error}\n")
        return _BAD_INPUT
    if options.json:
        sys.stdout.write(json.dumps(telling.described(found), indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(telling.report(found))
    return 0
