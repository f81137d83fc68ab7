"""Requests with which the calculators are tested, here and in the browser's Python, before its files are used."""

from __future__ import annotations

import functools
import itertools
import json
import random
import re
from typing import TYPE_CHECKING, Any, ParamSpec

from builder.engine.runtime import Unusable
from builder.pages import cases
from calculators.bridge import respond
from calculators.catalog import CALCULATORS
from calculators.declare import Quantity
from calculators.machine.machines import existing
from calculators.page.machine import MACHINES
from calculators.page.offers import EXAMPLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_Given = ParamSpec("_Given")
_ANSWERED = ("answer", "link", "markdown")
_ASKS = (*_ANSWERED, "explore")
_AT_ONCE_MS, _SLICES = 600_000, 5
_AT_A_STOP, _WITH_A_PRESET = 0.6, 0.3
_STOPS = 400
_SOME_STOPS = 20  # every so many of a machine's inputs: each needs a search
_PUBLISHED = 12  # every so many of the published cases; the tests have a browser compute all of them
_REVIEWED = "checkpoint"
_ENDINGS = ("", "0", "00", "000", "k", "M", "B", "T", "GB", "TB/s", " GB/s", "e9", "%", "h", " min", "x", ",5", "-")
_USUAL = ("answer", "link")
_FRACTION = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?")
_PRINTED = """
# nThread 1 nGpus 8 minBytes 8388608 maxBytes 16777216 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1
     8388608       2097152     float     sum      -1    162.1   51.75   90.56      0    161.7   51.88   90.79      0
    16777216       4194304     float     sum      -1    205.0   81.84  143.22      0    204.3   82.12  143.71      0
"""
_KEPT = {"title": "Review", "notes": "One\nTwo", "alternatives": ["#", ""], "day": "2026-11-22", "address": "here"}
_SMALL = {"model": "llama-3-8b", "gpus": "8", "tokens": "1B"}  # its layout is found soon
_SOON = {"model": "llama-3-8b", "tokens": "1B", "deadline": "2 d"}  # and how many GPUs it takes
_WRONG = ("nonsense", "-1", "1e300", "3 km")


def _on_a_day(asked: Callable[_Given, Iterator[str]]) -> Callable[_Given, Iterator[str]]:
    """The requests with the day from which prices age: the same here and in the browser's Python."""

    @functools.wraps(asked)
    def dated(*args: _Given.args, **kwargs: _Given.kwargs) -> Iterator[str]:
        day = f', "day": "{_KEPT["day"]}"}}'
        for text in asked(*args, **kwargs):
            yield text[:-1] + day if text.startswith('{"') and text.endswith("}") else text

    return dated


@_on_a_day
def everything() -> Iterator[str]:
    """Yield requests as texts: everything once, wrong things too."""
    for name, calculator in CALCULATORS.items():
        records: list[dict[str, Any]] = [{preset.name: r.key} for preset in calculator.presets for r in preset.records]
        published = [dict(case.given) for case in cases.load(name)]
        asked = [("answer", given) for given in (*records, *published[::_PUBLISHED])]
        asked += [(ask, given) for ask in _ANSWERED for given in ({}, *published[:1])]
        asked += [
            ("answer", {name: wrong}) for name, wrong in zip(calculator.inputs, itertools.cycle(_WRONG), strict=False)
        ]
        yield from (json.dumps({"asks": [ask], "calculator": name, "given": given}) for ask, given in asked)
        for declared in calculator.inputs:
            yield json.dumps({"asks": ["answer"], "calculator": name, "stops": {declared: 3}})
        yield json.dumps(
            {"asks": ["answer"], "calculator": name, "fragment": "#parameters=405B&model=none&colour=r%C3%A9d"}
        )
    yield from _of_machines()
    yield from ("{", "null", '{"calculator": "nobody"}', '{"calculator": "checkpoint", "given": 3}')


def _of_machines() -> Iterator[str]:
    """Yield requests as texts: machines that exist, every input of machines wrong, some of them at a stop.

    None that a machine may answer before its layout is searched for: that depends on earlier requests.
    """
    for name, make in MACHINES.items():
        calculator = make()
        for inputs, wrong in zip(calculator.inputs, itertools.cycle(_WRONG), strict=False):
            yield json.dumps({"asks": ["answer"], "calculator": name, "given": {inputs: wrong}})
        for declared in list(calculator.inputs)[::_SOME_STOPS]:
            yield json.dumps({"asks": ["answer"], "calculator": name, "stops": {declared: 3}})
    for one in existing().values():
        yield json.dumps({"asks": ["answer", "link"], "calculator": "machine", "given": dict(one.given)})


def _on_machines() -> Iterator[str]:
    """Yield requests as texts: all that the pages of machines send; what follows an answer in one slice."""
    for name in MACHINES:
        fragment = "&".join(f"{inputs}={text}" for inputs, text in _SMALL.items())
        shown = {"calculator": name, "python": [], "fragment": fragment}
        yield json.dumps({"asks": ["explore"], "slice_ms": _AT_ONCE_MS, **shown, "states": ["storage_capacity=1PB"]})
        yield from (json.dumps({"asks": [ask], **shown}) for ask in ("markdown", "described"))
        yield json.dumps({"asks": ["imported"], "imported": '{"model_type": "llama"}', **shown})
        yield json.dumps(
            {"asks": ["answer", "link"], **shown, "fragment": "accelerator=a100-sxm-80gb&v=0.0.1&was=gpus:1"}
        )
        yield json.dumps({"asks": ["answer"], **shown, "fragment": "write_bandwidth=50GB/s&from=checkpoint"})
        yield json.dumps({"asks": ["answer"], "calculator": "power", "fragment": f"model=llama-3-70b&from={name}"})
    for given in (_SOON, {"tensor_parallel": "7"}, {"layers": "61", "tensor_parallel": "8"}):
        yield json.dumps({"asks": ["answer"], "calculator": "machine", "python": [], "given": given})


@_on_a_day
def as_pages_ask() -> Iterator[str]:
    """Yield requests as texts: all that the page of a calculator sends; explorations in one slice.

    Links of an older version and from another calculator too; of a measurement two lines of nccl-tests.
    """
    for name, calculator in CALCULATORS.items():
        shown = {"calculator": name, "python": list(calculator.steps), "fragment": ""}
        yield json.dumps({"asks": ["answer", "link"], **shown})
        yield json.dumps({"asks": ["explore"], "slice_ms": _AT_ONCE_MS, **shown})
        stops = {slider: 3 for slider in calculator.first_sliders if slider not in calculator.choices}
        record = {"asks": ["record"], "calculator": name, "slice_ms": _AT_ONCE_MS, "stops": stops}
        yield json.dumps(record | {"record": _KEPT})
        for fragment in (f"v=0.0.1&was={calculator.headline[0]}:1", f"gpus=512&parameters=7B&from={_next_to(name)}"):
            yield json.dumps({"asks": ["answer", "link"], **shown, "fragment": fragment})
        yield json.dumps({"asks": ["answer"], **shown, "fragment": "gpus=512&parameters=7B", "states": ["v=0.0.1"]})
        for preset in calculator.presets[:1]:
            yield json.dumps({"asks": ["answer"], "calculator": name, "given": {preset.name: "nonsense"}})
        texts = ("",) if calculator.run_reader else (_PRINTED, "nothing")
        yield from (json.dumps({"asks": ["measured"], "measured": text, **shown}) for text in texts)
    yield from _on_machines()
    yield json.dumps({"asks": ["offers"], "calculator": "", "given": dict(EXAMPLE)})
    yield from of_reviews()
    yield from of_machine_reviews()


def of_reviews() -> Iterator[str]:
    """Yield requests as texts: the choices of every calculator, and of one all that its explore panel sends."""
    for name in CALCULATORS:
        yield json.dumps({"asks": ["choices"], "calculator": name, "fragment": ""})
        yield json.dumps({"asks": ["compare"], "calculator": name, "states": [""], "slice_ms": _AT_ONCE_MS})
    reviewed: tuple[tuple[str, dict[str, str]], ...] = (
        ("solve", {"result": "required_write_bandwidth", "wanted": "60 GB/s"}),
        ("solve", {"result": "required_write_bandwidth", "wanted": "60 GB/s", "input": "write_window"}),
        ("solve", {"result": "write_in_time", "wanted": "good"}),
        ("solve", {"result": "checkpoint_size", "wanted": "nonsense"}),
        ("sweep", {"result": "checkpoint_size", "input": "parameters", "second": "checkpoint_bytes_per_parameter"}),
        ("sweep", {"second": "checkpoint_mode"}),
        ("sweep", {"input": "checkpoint_mode"}),
        ("map", {}),
        ("map", {"across": "parameters", "down": "parameters"}),
        ("tornado", {}),
        ("margins", {}),
        ("tornado", {"result": "nonsense"}),
        ("compare", {"result": "required_write_bandwidth", "one": "A", "other": "B"}),
    )
    states = ["parameters=8B&write_window=30s&v=0.0.1&was=checkpoint_size:1GB", "model=llama-3-70b"]
    for ask, review in reviewed:
        asked = {"asks": [ask], "calculator": _REVIEWED, "review": review, "states": states}
        yield json.dumps({**asked, "given": {"parameters": "30B–45B"}, "slice_ms": _AT_ONCE_MS})


def of_machine_reviews() -> Iterator[str]:
    """Yield requests as texts: what the explore panel of machines sends; small ones, since each needs a search."""
    reviewed: tuple[tuple[str, dict[str, str]], ...] = (
        ("choices", {}),
        ("solve", {"result": "facility_power", "wanted": "20 kW", "input": "accelerator"}),
        ("solve", {"result": "hall_fits", "wanted": "bad", "input": "gpus"}),
        ("sweep", {"input": "port_rate", "second": "paid", "from": "400Gbit/s", "to": "800Gbit/s"}),
        ("compare", {}),
    )
    for name in MACHINES:
        asked: dict[str, Any] = {"calculator": name, "slice_ms": _AT_ONCE_MS, "given": _SMALL}
        for ask, review in reviewed if name != "machine" else reviewed[:-1]:  # of training that takes 800 searches
            states = ["gpus=16&price_per_gpu_hour=2&v=0.0.1&was=run_price:1"]
            yield json.dumps({"asks": [ask], **asked, "review": review, "states": states})


def _next_to(name: str) -> str:
    """Another calculator."""
    names = list(CALCULATORS)
    return names[names.index(name) - 1]


@_on_a_day
def in_slices() -> Iterator[str]:
    """Yield requests as texts: the first slices of an exploration and of a record of every calculator, short ones.

    What they answer has a number that counts the explorations started, so it is not compared.
    """
    for cursor, (name, ask) in enumerate(itertools.product(CALCULATORS, ("explore", "record")), start=1):
        asked = {"asks": [ask], "calculator": name, "slice_ms": 0}
        yield json.dumps(asked)
        yield from [json.dumps(asked | {"cursor": cursor})] * _SLICES
    for name, given in itertools.product(MACHINES, ({}, {"gpus": "4,096"}, {"gpus": "4,000"}, {"budget": "90M USD"})):
        asked = {"calculator": name, "given": given}
        yield json.dumps(asked | {"asks": ["answer", "link"], "provisional": True, "python": [], "number": 1})
        yield json.dumps(asked | {"asks": ["answer"], "provisional": True, "python": [], "number": 2, "since": 1})
        yield json.dumps(asked | {"asks": ["explore"], "slice_ms": 0})


@_on_a_day
def usual() -> Iterator[str]:
    """Yield requests as texts: the first request of each calculator's page."""
    for name in (*CALCULATORS, *MACHINES):
        yield json.dumps({"asks": _USUAL, "calculator": name})


@_on_a_day
def at_random(count: int = 100, seed: int = 2045) -> Iterator[str]:
    """Yield requests as texts that set a few inputs of a calculator anyhow; the same each time.

    With most seeds a few states are among them that are explored for seconds, which shows nothing more.
    """
    chance = random.Random(seed)  # noqa: S311  nothing is kept secret
    for _ in range(count):
        calculator = CALCULATORS[chance.choice(list(CALCULATORS))]
        given: dict[str, str] = {}
        stops: dict[str, int] = {}
        for name in chance.sample(list(calculator.inputs), k=chance.randint(1, min(5, len(calculator.inputs)))):
            declared = calculator.inputs[name]
            if isinstance(declared, Quantity) and chance.random() < _AT_A_STOP:
                stops[name] = chance.randrange(_STOPS)
            elif isinstance(declared, Quantity):
                given[name] = f"{chance.choice('123456789')}{chance.choice(_ENDINGS)}"
            else:
                given[name] = chance.choice([*declared.options, "nonsense"])
        for preset in calculator.presets:
            if chance.random() < _WITH_A_PRESET:
                given[preset.name] = chance.choice(preset.records).key
        asks = chance.sample(_ASKS, k=chance.randint(1, len(_ASKS)))
        yield json.dumps({"asks": asks, "calculator": calculator.name, "given": given, "stops": stops})


def answers(asked: list[str]) -> list[str]:
    """Answers of Python here to each request."""
    return [respond(question) for question in asked]


def rounded(answer: str) -> str:
    """An answer with its numbers to 12 digits: logarithms and powers of two C libraries differ in the last bit."""
    return _FRACTION.sub(lambda number: f"{float(number[0]):.12g}", answer)


def compare(asked: list[str], found: list[str], expected: list[str]) -> None:
    """See that answers are those of Python here. Raises runtime.Unusable."""
    report = zip(asked, found, expected, strict=True)
    different = [question for question, *both in report if both[0] != both[1] and len({*map(rounded, both)}) > 1]
    if different:
        raise Unusable(f"{len(different)} answers from it are not those of Python here, first {different[0]}")
