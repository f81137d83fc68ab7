"""`--xlsx FILE`: a state as a spreadsheet with live formulas."""

from pathlib import Path

from calculators.answers.input_state import InputState
from calculators.declare import Calculator, InputError, Values
from calculators.spreadsheet.workbook import workbook

OPTION = "xlsx"
HELP = "write a spreadsheet with live formulas, sources and verdicts to this file"
_ENDING = ".xlsx"


def saved(file: str, calculator: Calculator, resolved: InputState, values: Values, page: str = "") -> str:
    """Write the workbook of a state; a sentence on what is in it. Raises InputError where it cannot be written."""
    place = Path(file)
    if place.suffix.lower() != _ENDING:
        raise InputError({OPTION: f"--xlsx: the file's name must end in {_ENDING}, not “{file}”"})
    made = workbook(calculator, resolved, values, page or f"calculators/{calculator.name.replace('_', '-')}/")
    try:
        place.write_bytes(made.content)
    except OSError as error:
        message = f"--xlsx: {file} cannot be written: {(error.strerror or str(error)).lower()}"
        raise InputError({OPTION: message}) from None
    others = "" if made.live == made.results else "; the others are values, marked as such"
    return f"{file}: {made.live} of {made.results} results are live formulas{others}.\n"
