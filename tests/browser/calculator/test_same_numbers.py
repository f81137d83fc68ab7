"""Python in the browser computes what Python here computes: for every published case, preset and slider's end."""

from __future__ import annotations

import inspect
import json
import math
from typing import TYPE_CHECKING, Any

import pytest

from builder.engine import questions
from builder.pages import cases
from builder.site import bundle
from calculators.answers import sliders
from calculators.catalog import CALCULATORS
from calculators.declare import Quantity
from calculators.facts import ages
from tests.browser import reading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from builder.serving.serve import SiteServer
    from tests.browser.conftest import Visit

# Texts of every so many states: the build has the snapshot answer all kinds of questions word for word, and every value
# of every state is compared below. Bands and ways on take fifty times an answer's time.
EVERY = 48
EXPLORED_EVERY = 96  # published cases of a calculator
NEAR = 1e-12  # their mathematics libraries may differ in a last digit
_START_WORKER = """async ({source, base, manifest, way, questions}) => {
    const blob = new Blob([source], {type: "text/javascript"});
    const worker = new Worker(URL.createObjectURL(blob), {type: "module"});
    const answers = [];
    return new Promise((resolve, reject) => {
        worker.onmessage = ({data}) => {
            if (data.kind === "live")
                questions.forEach((text, id) => worker.postMessage({kind: "ask", id, text}));
            if (data.kind === "answer" && answers.push(data.text) === questions.length) resolve(answers);
            if (data.kind === "failed") reject(new Error(data.reason));
        };
        worker.postMessage({kind: "start", way, base, manifest, lock: "same numbers", facts: ""});
    }).finally(() => worker.terminate());
}"""
_START_PYTHON = """async ({base, manifest: {files, info}, code, states}) => {
    const address = (file) => new URL(file.path, base).href;
    const {loadPyodide} = await import(address(files.loader));
    const {default: createPyodideModule} = await import(address(files.glue));
    const packed = (await fetch(address(files.wasm))).body;
    const wasm = new Response(packed.pipeThrough(new DecompressionStream("gzip")));
    const snapshot = WebAssembly.compile(await wasm.arrayBuffer());
    WebAssembly.instantiateStreaming = async (_, imports) => {
        const module = await snapshot;
        return {module, instance: await WebAssembly.instantiate(module, imports)};
    };
    const network = window.fetch;
    window.fetch = (url, init) =>
        String(url).endsWith(".asm.wasm") ? Promise.resolve(new Response()) : network(url, init);
    const python = await loadPyodide({
        createPyodideModule,
        indexURL: new URL(".", address(files.loader)).href,
        packageBaseUrl: base,
        stdLibURL: address(files.library),
        lockFileContents: {info, packages: {}},
    });
    python.unpackArchive(await (await fetch(address(files.calculators))).arrayBuffer(), "zip");
    python.runPython(code);
    return python.globals.get("computed")(states);
}"""


def given_states() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Calculator, what it is about, and what is given."""
    for name, calculator in CALCULATORS.items():
        yield name, "defaults", {}
        for case in cases.load(name):
            yield name, case.name, dict(case.given)
        for preset in calculator.presets:
            for record in preset.records:
                yield name, f"{preset.name} {record.key}", {preset.name: record.key}
        for declared in calculator.inputs.values():
            if isinstance(declared, Quantity):
                for end in (sliders.stops(declared)[0], sliders.stops(declared)[-1]):
                    yield name, f"{declared.name} at {end}", {declared.name: declared.box(end)}


STATES = list(given_states())


def computed(states: str) -> str:
    """Every value of every state, in full: runs here and, as this same text, in the browser."""
    import json  # noqa: PLC0415

    from calculators.answers.answer import evaluated  # noqa: PLC0415
    from calculators.answers.input_state import parse_inputs  # noqa: PLC0415
    from calculators.catalog import CALCULATORS  # noqa: PLC0415
    from calculators.declare import InputError  # noqa: PLC0415

    found: list[dict[str, object]] = []
    for name, _, given in json.loads(states):
        try:
            values = evaluated(CALCULATORS[name], parse_inputs(CALCULATORS[name], given))
        except InputError as error:
            found.append({"problems": error.problems})
        else:
            plain = int, float, str, bool, type(None)  # what is absent has no value
            shown = {*CALCULATORS[name].inputs, *CALCULATORS[name].steps}  # records are shown by their parts
            found.append(
                {k: v if isinstance(v, plain) else f"{v.level} {v.word}" for k, v in values.items() if k in shown}
            )
    return json.dumps(found)


@pytest.fixture
def engine(site: SiteServer) -> dict[str, Any]:
    """The site's own worker, and the files it is to start with."""
    manifest = json.loads(site.files["engine/manifest.json"].body)
    return {"source": bundle.worker(), "base": site.url + "engine/", "manifest": manifest}


def unlike(here: Any, there: Any) -> bool:
    """Whether two answers differ, numbers to 12 digits."""
    return here != there and questions.rounded(json.dumps(here)) != questions.rounded(json.dumps(there))


@pytest.mark.long
@pytest.mark.context(bypass_csp=True)  # it makes a worker of its own
@pytest.mark.parametrize("way", ["snapshot", "plain"])
def test_the_browser_gives_the_same_texts(visit: Visit, engine: dict[str, Any], way: str) -> None:
    asked = [{"asks": ["answer"], "calculator": name, "given": given} for name, _, given in STATES[::EVERY]]
    asked += [{"asks": ["markdown"], "calculator": name, "given": {}} for name in CALCULATORS]
    asked += [
        {"asks": ["explore", "link"], "calculator": name, "given": case.given}
        for name in CALCULATORS
        for case in cases.load(name)[::EXPLORED_EVERY]
    ]
    assert {one["calculator"] for one in asked if one["asks"] == ["answer"]} == set(CALCULATORS)
    texts = [json.dumps({**one, "day": ages.today().isoformat()}) for one in asked]  # as pages send it
    answers = visit("numbers/").evaluate(_START_WORKER, {**engine, "way": way, "questions": texts})
    different = []
    for question, text in zip(asked, answers, strict=True):
        here = reading.ask(question["calculator"], question["given"], asks=question["asks"])  # type: ignore[arg-type]
        there = json.loads(text)
        different += [(question, key, here[key], there.get(key)) for key in here if unlike(here[key], there.get(key))]
        different += [(question, key, None, there[key]) for key in there.keys() - here.keys()]
    assert not different, f"{len(different)} differ, first {different[0]}"


@pytest.mark.daily(1)
def test_the_browser_gives_the_same_values(visit: Visit, engine: dict[str, Any]) -> None:
    states, code = json.dumps(STATES), inspect.getsource(computed)
    there = json.loads(visit("numbers/").evaluate(_START_PYTHON, {**engine, "code": code, "states": states}))
    here = json.loads(computed(states))
    different = [
        (name, what, key, value, found.get(key))
        for (name, what, _), expected, found in zip(STATES, here, there, strict=True)
        for key, value in expected.items()
        if not same(value, found.get(key))
    ]
    assert not different, f"{len(different)} differ, first {different[0]}"
    assert [sorted(found) for found in there] == [sorted(expected) for expected in here]


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal, but for a last digit."""
    if isinstance(one, float) and isinstance(other, float | int):
        return math.isclose(one, other, rel_tol=NEAR)
    return bool(one == other)


def test_every_published_case_is_among_the_states() -> None:
    assert sum(bool(what) for _, what, _ in STATES) >= sum(len(cases.load(name)) for name in CALCULATORS) >= 100
