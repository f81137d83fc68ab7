"""A run of the reader's own: pasted, it is next to the model's curve with likely reasons, and stays on the page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser import reading

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Visit

LOGS = Path(__file__).parents[2] / "logs"
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
    place.locator("[data-measured-file]").get_by_role("button", name="Remove file").click()
    expect(place.locator("[data-measured-result]")).to_be_hidden()
    box.fill("no results here")
    box.blur()
    expect(place.locator("[data-measured-problem]")).to_contain_text("no output of storage that is known here")


def test_a_benchmark_and_a_job_are_read_by_a_python_of_their_own(live: Visit) -> None:
    place = reading.calculator(live(reading.path_of("inference")), "inference")
    box, file = place.locator("[data-measured-text]"), place.locator("[data-measured-file]")
    box.evaluate(DROP, (LOGS / "vllm-0.25-bench-serve.json").read_text("utf-8"))
    expect(place.locator("[data-measured-sentence]")).to_contain_text("32 tokens in, 16 out, 2 requests at a time")
    expect(place.locator("[data-measured-rows] tr").first).to_contain_text("TPOT, mean")
    file.get_by_role("button", name="Remove file").click()
    expect(place.locator("[data-measured-result]")).to_be_hidden()
    assert place.get_attribute("data-engine") == "live", "the Python of the page was not asked for it"
    place = reading.calculator(live(reading.path_of("goodput")), "goodput")
    box, file = place.locator("[data-measured-text]"), place.locator("[data-measured-file]")
    box.fill((LOGS / "goodput-events.csv").read_text("utf-8"))
    box.blur()
    expect(place.locator("[data-measured-sentence]")).to_contain_text("2 failures and 0 interruptions in 1.83 h")
    expect(place.locator(".measured-cause").first).to_contain_text("Recomputed work.")
    file.get_by_role("button", name="Remove file").click()
    expect(box).to_have_value((LOGS / "goodput-events.csv").read_text("utf-8"))


GIVE_LONG = """(box, [head, line, foot, bytes, sign]) => {
    const chunk = line.repeat(10_000);
    const files = new DataTransfer();
    const between = bytes - head.length - foot.length;
    const rest = `${chunk.slice(0, (between % chunk.length) - 1)}\\n`;
    const parts = [head, ...Array(Math.floor(between / chunk.length)).fill(chunk), rest, foot];
    if (sign === "paste") files.setData("text/plain", parts.join(""));
    else files.items.add(new File(parts, "all-ranks.log"));
    const event = sign === "paste"
        ? new ClipboardEvent("paste", { clipboardData: files, bubbles: true, cancelable: true })
        : new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true });
    box.dispatchEvent(event);
}"""
ITERATION = " iteration {}/ 40 | elapsed time per iteration (ms): {:.1f} | global batch size: 1024 |\n"
DEBUG = "node017:4242:4242 [3] NCCL INFO Channel 00/0 : 1[1] -> 0[0] via P2P/CUMEM/read, printed by each of all ranks\n"


def _give(place: Locator, megabytes: float, sign: str = "drop") -> None:
    """Give a training log of 40 iterations, most of it between the first 20 and the others."""
    steps = [ITERATION.format(number, 9000.0) for number in range(1, 41)]
    head = " using world size: 1024\n" + "".join(steps[:20])
    place.locator("[data-measured-text]").evaluate(GIVE_LONG, [head, DEBUG, "".join(steps[20:]), megabytes * 1e6, sign])


def test_a_file_of_100_megabytes_is_read_while_the_page_answers(live: Visit) -> None:
    place = reading.calculator(live(reading.path_of("training_time")), "training_time")
    place.locator("[data-measured-text]").fill("kept")
    reading.listen(place)
    _give(place, 100)
    reading.await_heard(place, "Reading all-ranks.log")
    file = place.locator("[data-measured-file]")
    expect(file).to_contain_text("all-ranks.log")
    expect(file).to_contain_text("using world size: 1024")
    expect(place.locator("[data-measured-text]")).to_be_hidden()
    expect(file.locator("[data-measured-progress]")).to_contain_text(re.compile(r"(Loaded|Read) \S+ MB of 100 MB"))
    before = place.locator("p.answer").inner_text()
    reading.type_in(place, "gpus", "512")
    expect(place.locator("p.answer")).not_to_have_text(before)
    assert place.locator("[data-measured-sentence]").is_hidden(), "the answer came before the file was read"
    expect(place.locator("[data-measured-sentence]")).to_contain_text("1,024 GPUs, 39 logged steps after 1 of warm-up")
    expect(file.locator("[data-measured-progress]")).to_have_text("100 MB read.")
    reading.await_heard(place, "1,024 GPUs, 39 logged steps after 1 of warm-up")
    file.get_by_role("button", name="Remove file").click()
    expect(place.locator("[data-measured-text]")).to_have_value("kept")
    expect(place.locator("[data-measured-result]")).to_be_hidden()


def test_a_long_paste_is_read_as_a_file_and_one_above_the_limit_keeps_what_was_typed(live: Visit) -> None:
    place = reading.calculator(live(reading.path_of("training_time")), "training_time")
    _give(place, 1.2, "paste")
    file, box = place.locator("[data-measured-file]"), place.locator("[data-measured-text]")
    expect(file).to_contain_text("Pasted text")
    expect(place.locator("[data-measured-sentence]")).to_contain_text("1,024 GPUs, 39 logged steps")
    file.get_by_role("button", name="Remove file").click()
    box.fill("kept")
    _give(place, 102)
    expect(place.locator("[data-measured-problem]")).to_contain_text("More than 100 MB: give a part of it, or run")
    file.get_by_role("button", name="Remove file").click()
    expect(box).to_have_value("kept")
