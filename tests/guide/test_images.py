"""Images for nodes, by hand."""

from __future__ import annotations

import pytest

from calculators.guide.images import install_time


def test_a_hundred_nodes_wait_for_a_hundred_images() -> None:
    # 100 images of 10 GB are 1 TB; at 1 GB/s that is 1,000 s, from four servers a quarter.
    assert install_time(10e9, 100, 1, 1e9) == pytest.approx(1000)
    assert install_time(10e9, 100, 4, 1e9) == pytest.approx(250)


def test_twice_the_port_is_half_the_wait() -> None:
    assert install_time(10e9, 100, 1, 2e9) == pytest.approx(install_time(10e9, 100, 1, 1e9) / 2)
