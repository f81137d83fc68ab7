"""The files whose reading `make bench` measures are as long as it says, and none is refused."""

from __future__ import annotations

from itertools import islice

from tooling import readings


def test_a_megabyte_of_every_kind_is_read() -> None:
    for name, read, text in readings.texts():
        assert 0.9e6 < len(text) < 1.1e6, name
        read(text)  # a file that it refuses at once would seem fast


def test_a_figure_has_the_budget_of_200_ms() -> None:
    (one,) = islice(readings.figures(), 1)
    assert one.budget == 200
    assert one.value > 0
