"""Variants: the same result in another state, computed by the result's own formulas."""

import pytest

from calculators.declare import DeclarationError, ratio, step, variant


@step("s", "Time to write")
def write_time(size: float, bandwidth: float) -> float:
    return size / bandwidth


@step("s", "Time to pack", not_applicable="no packing")
def pack_time(size: float) -> float:
    return size / 4


@step("s", "Time in all", not_applicable="never")
def total_time(write_time: float, pack_time: float, restarts: float) -> float:
    return (write_time + pack_time) * restarts


@step("B/s", "Half the bandwidth")
def half(bandwidth: float) -> float:
    return bandwidth / 2


def test_a_variant_reads_what_does_not_change_and_computes_what_does() -> None:
    slow = variant(
        total_time, {"bandwidth": "worst_bandwidth"}, name="slow", label="Slow", through=(write_time, pack_time)
    )
    assert slow.needs == ("size", "worst_bandwidth", "pack_time", "restarts")
    assert slow(8.0, 2.0, 1.0, 3.0) == 15
    assert (slow.unit, slow.not_applicable, slow.label) == ("s", "never", "Slow")


def test_a_change_may_be_computed_from_what_it_replaces() -> None:
    slow = variant(write_time, {"bandwidth": half}, name="slow", label="Slow")
    assert slow.needs == ("bandwidth", "size")
    assert slow(4.0, 8.0) == 4
    assert slow.body == "return write_time(bandwidth=bandwidth / 2)"


def test_changes_follow_each_other() -> None:
    @step("B", "Size for that bandwidth")
    def matching(bandwidth: float) -> float:
        return 10 * bandwidth

    both = variant(write_time, {"bandwidth": half, "size": matching}, name="both", label="Both")
    assert both.needs == ("bandwidth",)
    assert both(4.0) == 10


def test_a_change_that_reaches_nothing_is_refused() -> None:
    with pytest.raises(DeclarationError, match="slow: write_time depends on none of depth"):
        variant(write_time, {"depth": "other"}, name="slow", label="Slow")


def test_a_ratio_is_written_as_one() -> None:
    share = ratio("write_share", "write_time", "total_time", "Writing, of the whole")
    assert (share.unit, share.needs, share.body) == (
        "share",
        ("write_time", "total_time"),
        "return write_time / total_time",
    )
    assert share(1.0, 4.0) == 0.25
    assert share.function.__module__ == __name__
