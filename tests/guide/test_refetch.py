"""A KV cache fetched over one path, and over one path per GPU: times by hand."""

from __future__ import annotations

from calculators.guide.refetch import fetch_time, shared_fetch_time


def test_paths_per_gpu_share_the_work() -> None:
    assert fetch_time(cache_per_sequence=100, fetch_rate=50) == 2
    assert shared_fetch_time(cache_per_sequence=100, fetch_rate=50, gpus=4) == 0.5
