"""The cable schedule as the page and the file have it: the same cables, none twice."""

from __future__ import annotations

import csv
import io

from builder.pages.rows import cabling
from calculators.guide.cabling.schedule import schedule


def test_the_file_has_a_row_for_every_cable() -> None:
    rows = list(csv.DictReader(io.StringIO(cabling.table())))
    assert [row["cable"] for row in rows] == [cable.name for cable in schedule()]
    assert all(value for row in rows for value in row.values())
    first = rows[0]
    assert (first["a_rack"], first["a_unit"], first["z_part"], first["side"]) == ("R1", "U2", "leaf 1", "left")


def test_totals_and_bundles_add_up_to_the_schedule() -> None:
    assert sum(total.count.base for total in cabling.totals()) == len(schedule())
    # 4 nodes of 8 ports to a rack, half of them on either side.
    assert {(bundle.count.base, bundle.side.base) for bundle in cabling.bundles()} == {(32, 16)}
    rows = csv.DictReader(io.StringIO(cabling.table()))
    left = sum(row["side"] == "left" and row["a_rack"] == "R1" for row in rows)
    assert left == 16


def test_the_drawing_has_every_part_within_the_rack() -> None:
    boxes = cabling.elevation("R1")
    assert [box.name for box in boxes[:4]] == ["node 1", "node 2", "node 3", "node 4"]
    assert boxes[0].place == "U2–9"
    assert all(0 <= box.lower.base < box.upper.base <= 42 for box in boxes)
