"""A model's own config.json: pasted, it fills the inputs, or the page says what it did not understand."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser import reading

if TYPE_CHECKING:
    from tests.browser.conftest import Visit

NAMED = json.loads((Path(__file__).parents[2] / "configuration" / "configurations.json").read_text("utf-8"))
CONFIG = next(one["config"] for one in NAMED if one["name"] == "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16")


def test_a_pasted_configuration_fills_the_inputs_travels_in_the_link_and_is_refused_in_words(live: Visit) -> None:
    page = live(reading.path_of("kv_cache"))
    place = reading.calculator(page, "kv_cache")
    place.get_by_text("Or use your own model").click()
    box = place.locator("[data-imported-text]")
    reading.listen(place)
    box.fill(json.dumps(CONFIG))
    expect(place.locator("[data-imported-sentence]")).to_contain_text("31.6B parameters in 52 layers")
    expect(place.locator("[data-imported-strip]")).to_contain_text("s-s-sA-s")
    expect(place.locator("[data-imported-parts] tr").first).to_contain_text("Embedding")
    places = ("[data-imported-result] table", ".calculator-inputs")
    table, column = (place.locator(one).bounding_box() for one in places)
    assert table
    assert column
    assert table["x"] + table["width"] <= column["x"] + column["width"] + 1
    expect(place.locator("#attention_layers")).to_have_value("6")
    expect(place.locator("[data-preset=model]")).to_have_value("")
    expect(page).to_have_url(re.compile(r"#.*attention_layers=6&"))
    assert "hybrid_override_pattern" not in page.url
    box.fill(json.dumps(CONFIG | {"odd_key": 3}))
    expect(place.locator("[data-imported-problem]")).to_contain_text("odd_key = 3 is not understood")
    reading.await_heard(place, "odd_key = 3 is not understood")
    expect(place.locator("[data-imported-result]")).to_be_hidden()
    assert "odd_key" in box.input_value()
    expect(place.locator("#attention_layers")).to_have_value("6")


def test_a_dropped_file_is_read_like_a_pasted_text(live: Visit) -> None:
    page = live(reading.path_of("kv_cache"))
    place = reading.calculator(page, "kv_cache")
    place.get_by_text("Or use your own model").click()
    dropped = page.evaluate_handle(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "config.json", {type: "application/json"}));
            return data;
        }""",
        json.dumps(CONFIG),
    )
    reading.listen(place)
    place.locator("[data-imported]").dispatch_event("drop", {"dataTransfer": dropped})
    expect(place.locator("[data-imported-sentence]")).to_contain_text("31.6B parameters in 52 layers")
    reading.await_heard(place, "31.6B parameters in 52 layers")
    expect(place.locator("#attention_layers")).to_have_value("6")
