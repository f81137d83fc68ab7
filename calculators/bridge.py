"""The bridge: JSON text in, JSON text out. The only thing the browser's worker calls; it never raises.

A request names a calculator, what is given and what to tell of it: `{"asks": ["answer", "explore"], "calculator":
"checkpoint", "given": {"parameters": "405B"}, "stops": {"checkpoint_interval": 12}}`. `stops` are sliders at their
numbered stop. `fragment` instead of `given` reads a link. `python` names the formulas to be written as Python; without
it, all are. Everything asked is told in one answer.
"""

import json
from typing import Any

from calculators.answers import answer, links, markdown, sliders
from calculators.answers.resolve import Resolved, resolve
from calculators.catalog import CALCULATORS
from calculators.declare import Calculator, InputError, Quantity, Values


def respond(request_text: str) -> str:
    """Answer one request. Whatever goes wrong is in the answer under "problems" or "failure"."""
    try:
        return json.dumps(_respond(json.loads(request_text)), allow_nan=False)
    except Exception as error:  # noqa: BLE001  an uncaught error would leave the page waiting
        return json.dumps({"failure": f"{type(error).__name__}: {error}"[:300]})


def _respond(request: dict[str, Any]) -> dict[str, Any]:
    calculator = CALCULATORS[request["calculator"]]
    notices: list[str] = []
    if "fragment" in request:
        given, notices = links.read_link(calculator, str(request["fragment"]))
    else:
        given = {str(key): text for key, text in request.get("given", {}).items()}
    given.update(_stopped(calculator, request.get("stops", {})))
    resolved = resolve(calculator, given)
    response: dict[str, Any] = {"given": dict(resolved.given), "notices": notices}
    try:
        asked = [_ANSWERS[ask] for ask in request.get("asks", ["answer"])]
        values = answer.evaluated(calculator, resolved)
        for told in asked:
            response.update(told(calculator, resolved, values, request))
    except InputError as error:
        response["problems"] = error.problems
        response["controls"] = answer.controls(calculator, resolved)
        response["presets"] = dict(resolved.presets)
    return response


def _stopped(calculator: Calculator, stops: dict[str, Any]) -> dict[str, str]:
    texts = {}
    for name, number in stops.items():
        declared = calculator.inputs[name]
        if isinstance(declared, Quantity):
            known = sliders.stops(declared)
            texts[name] = declared.box(known[min(max(int(number), 0), len(known) - 1)])
    return texts


def _answer(calculator: Calculator, resolved: Resolved, values: Values, request: dict[str, Any]) -> dict[str, Any]:
    return answer.answer(calculator, resolved, values, request.get("python"))


def _exploration(
    calculator: Calculator, _resolved: Resolved, values: Values, _request: dict[str, Any]
) -> dict[str, Any]:
    return answer.exploration(calculator, values)


def _link(calculator: Calculator, resolved: Resolved, _values: Values, _request: dict[str, Any]) -> dict[str, Any]:
    return {"link": links.link(calculator, resolved)}


def _markdown(calculator: Calculator, resolved: Resolved, values: Values, _request: dict[str, Any]) -> dict[str, Any]:
    return {"markdown": markdown.table(calculator, resolved, values)}


_ANSWERS = {"answer": _answer, "explore": _exploration, "link": _link, "markdown": _markdown}
