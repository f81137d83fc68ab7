"""How far Inference is off on published measurements: what is promised of those that no constant was fitted on."""

from __future__ import annotations

import statistics

from builder.pages import cases
from builder.pages.accuracy import MEASURED, OUR_OWN

# Expert traffic was fitted on the first two, the load of the fullest GPU on the last two; serving-speed.toml says so.
FITTED = tuple(f"TensorRT-LLM later: {model}" for model in ("gpt-oss 20B", "Qwen3 235B", "Llama 4 Maverick"))


def errors() -> dict[str, float]:
    """Errors of measured figures by the name of the case."""
    measured = [case for case in cases.load("inference") if case.kind in MEASURED and case.strength not in OUR_OWN]
    return {case.name: max(one.error for one in cases.evaluate(case)) for case in measured}


def test_of_figures_not_fitted_the_median_error_is_8_percent_at_most_and_90_percent_are_within_25() -> None:
    found = errors()
    judged = [error for name, error in found.items() if not name.startswith(FITTED)]
    assert len(found) - len(judged) == 38
    assert len(judged) >= 206
    assert statistics.median(judged) <= 0.08
    assert sum(error <= 0.25 for error in judged) >= 0.9 * len(judged)
