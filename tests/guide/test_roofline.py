"""The roofline: a slope up to the ridge, a ceiling after it."""

from __future__ import annotations

import pytest

from calculators.guide.roofline import attainable, decode_intensity, measured_rate, ridge


def test_the_ceiling_begins_at_the_ridge() -> None:
    corner = ridge(peak_flops=989e12, memory_bandwidth=3.35e12)
    assert corner == pytest.approx(295, abs=0.5)  # what is printed for H100
    assert attainable(989e12, 3.35e12, corner / 2) == pytest.approx(989e12 / 2)
    assert attainable(989e12, 3.35e12, corner * 2) == 989e12


def test_decoding_for_one_does_one_operation_for_each_byte_of_bf16() -> None:
    assert decode_intensity(sequences=1, weight_bytes=2) == 1
    assert decode_intensity(sequences=1, weight_bytes=1) == 2


def test_a_step_reaches_its_share_of_the_peak() -> None:
    assert measured_rate(peak_flops=1000, mfu=0.4) == 400
