"""A cache fetched over one way, and over one for each GPU: times by hand."""

from __future__ import annotations

from calculators.guide.refetch import fetch_time, shared_fetch_time


def test_links_of_their_own_share_the_work() -> None:
    assert fetch_time(cache_per_sequence=100, fetch_rate=50) == 2
    assert shared_fetch_time(cache_per_sequence=100, fetch_rate=50, gpus=4) == 0.5
