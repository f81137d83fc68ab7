"""Spreadsheet of a state for pages: its bytes as text."""

import base64

from calculators.answers.input_state import InputState
from calculators.answers.messages import Answer, Question
from calculators.declare import Calculator, Values
from calculators.spreadsheet.workbook import workbook


def response(calculator: Calculator, resolved: InputState, values: Values, question: Question) -> Answer:
    """The workbook of a state in base 64; the address of its page comes with the request, as for a record."""
    page = question.get("record", {}).get("address", "")
    made = workbook(calculator, resolved, values, page)
    return {"spreadsheet": base64.b64encode(made.content).decode("ascii")}
