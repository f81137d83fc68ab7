"""Roofline: how fast a GPU can go at all, given how much it computes for each byte it reads."""

from calculators.declare import step


@step("FLOP/s", "Attainable", rises_with=("intensity",))
def attainable(peak_flops: float, memory_bandwidth: float, intensity: float) -> float:
    """The most that work of this `intensity` [FLOP/B] reaches [FLOP/s]: the memory's slope or the peak's ceiling.

    >>> attainable(100, 2, 10), attainable(100, 2, 1000)
    (20, 100)
    """
    return min(peak_flops, memory_bandwidth * intensity)


@step("FLOP/B", "Ridge", rises_with=("peak_flops",), falls_with=("memory_bandwidth",))
def ridge(peak_flops: float, memory_bandwidth: float) -> float:
    """The intensity [FLOP/B] at which slope and ceiling meet."""
    return peak_flops / memory_bandwidth


@step("FLOP/B", "Intensity of decoding", rises_with=("sequences",), falls_with=("weight_bytes",))
def decode_intensity(sequences: float, weight_bytes: float) -> float:
    """Arithmetic intensity of decoding [FLOP/B]: two FLOPs per weight and sequence.

    >>> decode_intensity(64, 2)
    64.0
    """
    return 2 * sequences / weight_bytes


@step("FLOP/s", "As measured", rises_with=("peak_flops", "mfu"))
def measured_rate(peak_flops: float, mfu: float) -> float:
    """FLOP/s of a training step at an `mfu` [FLOP/s]."""
    return peak_flops * mfu
