"""Hostile links and boxes: nothing in them ever runs or freezes the page, and what was wrong is always said."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from playwright.sync_api import expect

from calculators.catalog import CALCULATORS
from tests.browser import reading
from tests.browser.calculator.test_inputs import pins
from tests.browser.engine.test_engine import PAGE, engine_of

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.conftest import Visit

EXAMPLES = 20
ATTACK = "<img src=x onerror=window.hurt=1 class=hurt><script>window.hurt=1</script>"
LINKS = {
    "markup": f"parameters={ATTACK}&{ATTACK}=1",
    "encoded markup": "parameters=%3Csvg/onload=window.hurt=1%3E&%3Cscript%3Ewindow.hurt=1%3C/script%3E=1",
    "a script's address": "parameters=javascript:window.hurt=1&model=javascript:window.hurt=1",
    "a template": "parameters={{7*7}}${7*7}&gpus={parameters}",
    "Python": "gpus=__import__('os').system('true')&parameters={0.__class__}",
    "unknown keys": "colour=red&__proto__=1&constructor=1&__class__=2&toString=3",
    "prototype": "__proto__.hurt=1&constructor.prototype.hurt=1&parameters[hurt]=1",
    "not a number": "parameters=NaN&gpus=nan",
    "infinity": "parameters=Infinity&write_bandwidth=inf&checkpoint_interval=-Infinity",
    "negative": "parameters=-70B&checkpoint_interval=-1h",
    "wrong units": "parameters=70GB&write_bandwidth=3h&checkpoint_interval=40%25",
    "too large": "parameters=1e999999999&write_bandwidth=1x10^999&gpus=" + "9" * 79,
    "100 kB": "parameters=" + "9" * 100_000,
    "100 kB of keys": "&".join(f"k{number}=1" for number in range(15_000)),
    "100 kB of percent signs": "%" * 100_000 + "=1",
    "other digits": "parameters=٤٠٥B&gpus=１６",
    "right to left": "parameters=405B\u202e&gpus=\u200b16\u2066",
    "zeroes": "parameters=%00%00&gpus=1%0016",
    "broken bytes": "parameters=%FF%FE%C0%80&%F0%9F=1",
    "half a pair": "parameters=%ED%A0%80&gpus=\U0001f4a3",
    "a letter that looks like another": "p\u0430rameters=1B",
    "twice": "gpus=8&gpus=16&parameters=1B&parameters=2B",
    "paths": "model=../../../../etc/passwd&recipe=https://evil.example/",
}
BOXES = {
    "markup": ATTACK,
    "no number": "NaN",
    "infinity": "-Infinity",
    "negative": "-5 GB/s",
    "wrong unit": "3 fortnights",
    "100 kB": "9" * 100_000,
    "100 kB of units": "1 " + "B/" * 50_000,
    "a power": "1e999999999",
    "a power of ten": "3 × 10⁹⁹⁹ B/s",
    "right to left": "\u202e40 GB/s",
    "combining marks": "4\u0301\u0301\u0301 GB/s",
    "other digits": "٤٠ GB/s",
    "emoji": "\U0001f4a3",
}
# Signs that mean something to HTML, addresses, Python, or the readers of numbers.
SIGNS = st.text(
    st.sampled_from("<>&\"'=%+#;{}[]()\\/.,-_ eExX×µ٣１é\u202e\u200b\u0301\U0001f4a3019TBGsNan\t"), max_size=40
)
# No letters that only newer Pythons know: the one in the browser prints what the one here replaces.
TEXTS = SIGNS | st.text(st.characters(max_codepoint=0x24F), max_size=40)
KEYS = st.sampled_from([*CALCULATORS["checkpoint"].inputs, "model", "recipe", "colour", "__proto__"]) | TEXTS
in_the_browser = settings(
    max_examples=EXAMPLES,
    phases=[Phase.explicit, Phase.generate],  # to find the smallest failure in a browser would take minutes
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def report(answer: dict[str, Any]) -> list[str]:
    """All that an answer says is wrong."""
    return [*answer.get("notices", []), *answer.get("problems", {}).values()]


def await_report(place: Locator, answer: dict[str, Any]) -> None:
    """Wait until the page says exactly what Python says is wrong, each where it belongs."""
    assert "failure" not in answer
    until = time.monotonic() + reading.PATIENCE_SECONDS
    wanted = sorted(" ".join(sentence.split()) for sentence in report(answer))
    while True:
        found = reading.shown(place)
        problems = [control["problem"] for control in found["controls"].values() if control["problem"]]
        message = sorted(" ".join(sentence.split()) for sentence in [*(found["notices"] or []), *problems])
        if message == wanted and found["stale"] == ("problems" in answer):
            return
        if time.monotonic() > until:
            assert message == wanted
            assert found["stale"] == ("problems" in answer)
        place.page.wait_for_timeout(20)


def expect_unharmed(page: Page) -> None:
    """Nothing ran, nothing came to be, nothing was asked of anyone; the engine lives and the page moves."""
    hurt = "() => window.hurt ?? ({}).hurt ?? document.querySelectorAll('.hurt, article script').length"
    assert page.evaluate(hurt) == 0
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 1, "something burst the page"
    expect(page.locator("ai-calculator")).to_have_attribute("data-engine", "live")


def set_fragment(page: Page, fragment: str) -> str:
    """Put this behind the address's #; returns what the browser made of it."""
    made: str = page.evaluate("text => { location.hash = text; return location.hash.slice(1); }", fragment)
    return made


@pytest.mark.parametrize("fragment", LINKS.values(), ids=LINKS)
def test_a_hostile_link_runs_nothing_and_is_reported(live: Visit, fragment: str) -> None:
    page = live(PAGE)
    engine = engine_of(page)
    made = set_fragment(page, fragment)
    answer = reading.ask("checkpoint", fragment=made)
    assert report(answer)
    await_report(reading.calculator(page, "checkpoint"), answer)
    expect_unharmed(page)
    assert engine_of(page) == engine, "it hung so long that it was replaced"


@pytest.mark.parametrize("typed", BOXES.values(), ids=BOXES)
def test_a_hostile_text_in_a_box_runs_nothing_and_is_reported(live: Visit, typed: str) -> None:
    page = live(PAGE)
    engine = engine_of(page)
    place = reading.calculator(page, "checkpoint")
    reading.open_groups(place)
    box = place.locator('[data-input="write_bandwidth"] [data-box]')
    box.fill(typed)
    answer = reading.ask("checkpoint", {**pins("checkpoint", "write_bandwidth"), "write_bandwidth": typed})
    assert report(answer)
    await_report(place, answer)
    expect_unharmed(page)
    assert box.input_value() == typed, "what was typed is lost"
    assert engine_of(page) == engine, "it hung so long that it was replaced"
    box.fill("")
    box.press("Tab")
    reading.await_answer(place, reading.ask("checkpoint"))


def test_any_link_is_read_as_python_reads_it(live: Visit) -> None:
    page = live(PAGE)
    place = reading.calculator(page, "checkpoint")

    @in_the_browser
    @given(st.lists(st.tuples(KEYS, TEXTS), min_size=1, max_size=4))
    def try_one(pairs: list[tuple[str, str]]) -> None:
        made = set_fragment(page, "&".join(f"{key}={text}" for key, text in pairs))
        await_report(place, reading.ask("checkpoint", fragment=made))
        expect_unharmed(page)

    try_one()


def test_any_text_in_a_box_is_read_as_python_reads_it(live: Visit) -> None:
    page = live(PAGE)
    place = reading.calculator(page, "checkpoint")
    reading.open_groups(place)
    box = place.locator('[data-input="write_bandwidth"] [data-box]')

    @in_the_browser
    @given(TEXTS)
    def try_one(text: str) -> None:
        box.fill(text)
        typed = box.input_value()  # a box has one line
        given_texts = {**pins("checkpoint", "write_bandwidth"), "write_bandwidth": typed} if typed.strip() else {}
        await_report(place, reading.ask("checkpoint", given_texts))
        expect_unharmed(page)

    try_one()
