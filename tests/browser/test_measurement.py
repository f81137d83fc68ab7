"""A run of the reader's own: pasted, it is next to the model's curve with likely reasons, and stays on the page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser import reading

if TYPE_CHECKING:
    from tests.browser.conftest import Visit

LOGS = Path(__file__).parents[1] / "logs"
LOG = LOGS / "nccl-falls-at-large.txt"
DROP = """(box, text) => {
    const files = new DataTransfer();
    files.items.add(new File([text], "fio.json"));
    box.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
}"""


def test_a_pasted_run_appears_next_to_the_model_with_its_likely_reason(live: Visit) -> None:
    place = reading.calculator(live(reading.path_of("collectives")), "collectives")
    box = place.get_by_label("Output of all_reduce_perf")
    reading.listen(place)
    box.fill(LOG.read_text("utf-8"))
    expect(place.locator("[data-measured-sentence]")).to_contain_text("The best measured is 29.5 GB/s")
    reading.await_heard(place, "The best measured is 29.5 GB/s")
    expect(place.locator(".measured-cause").first).to_contain_text("Falls at large sizes.")
    expect(place.locator("[data-measured-rows] tr")).to_have_count(10)
    expect(place.locator("[data-curve=measured]")).not_to_have_attribute("points", "")
    box.fill("no results here")
    expect(place.locator("[data-measured-problem]")).to_contain_text("No results in this text")
    reading.await_heard(place, "No results in this text")
    expect(place.locator("[data-measured-result]")).to_be_hidden()


def test_a_dropped_storage_run_appears_next_to_the_limits_of_acceptance(live: Visit) -> None:
    place = reading.calculator(live(reading.path_of("storage_demand")), "storage_demand")
    box = place.get_by_label("Paste or drop here: fio JSON")
    reading.listen(place)
    box.evaluate(DROP, (LOGS / "fio-mixed-interrupted.json").read_text("utf-8"))
    expect(place.locator("[data-measured-sentence]")).to_contain_text("Investigate: fio, 1 of the job's 2,048 nodes.")
    reading.await_heard(place, "Investigate: fio")
    expect(place.locator("[data-measured-rows] tr").first).to_contain_text("31.4 MB/s")
    expect(place.locator(".measured-cause").first).to_contain_text("Small requests.")
    box.fill("no results here")
    expect(place.locator("[data-measured-result]")).to_be_hidden()
