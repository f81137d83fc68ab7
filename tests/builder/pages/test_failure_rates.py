"""Failure rates as the page, the figure and the file have them: the same rows, the same numbers."""

from __future__ import annotations

import csv
import io

from builder.pages.rows import failure_rates
from calculators.guide.failures import failure_data


def written() -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(failure_rates.table())))


def test_the_file_has_every_rate_with_its_definition_and_its_source() -> None:
    rows = written()
    assert [row["machine"] for row in rows] == [rate.machine for rate in failure_data.rates()]
    # An address for each, and no empty cell anywhere.
    assert all(row["address"].startswith("https://") for row in rows)
    assert all(value for row in rows for value in row.values())


def test_the_file_has_hours_as_plain_numbers() -> None:
    (llama,) = [row for row in written() if row["machine"] == "Llama 3 405B" and row["counts"] == "the job stops"]
    # 54 days x 24 hours x 16,384 GPUs / 419 = 50,677 hours, and a 1,024th of that is 49.49: four digits of each.
    assert llama["hours_of_one_gpu_per_failure"] == llama["lowest_hours"] == llama["highest_hours"] == "50680"
    assert llama["hours_between_failures_of_1024_gpus"] == "49.49"
    assert llama["gpus"] == "16384"


def test_a_rate_that_its_source_leaves_open_says_how_far() -> None:
    (bloom,) = [rate for rate in failure_rates.shown("gpus") if rate.machine == "BLOOM"]
    # One to two failures a week of 384 GPUs.
    assert bloom.spread == "32,300 h to 64,500 h"
    (opt,) = [rate for rate in failure_rates.shown("stops") if rate.machine == "OPT-175B"]
    assert opt.spread == "up to 16,100 h"
    (llama,) = [rate for rate in failure_rates.shown("stops") if rate.machine == "Llama 3 405B"]
    assert llama.spread == ""


def test_the_drawing_has_a_line_for_every_rate_and_both_bands() -> None:
    lines = failure_rates.lines()
    assert [line.rate.machine for line in lines if line.rate] == [rate.machine for rate in failure_data.rates()]
    assert len([line for line in lines if line.band]) == 2
    assert [line.y for line in lines] == sorted({line.y for line in lines})
