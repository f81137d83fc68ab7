"""Recommendations: each change tried alone, the shortest steps first; those that change what is learned say so."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from calculators.subjects.post_training.post_training.formulas.loop import VERIFIERS

_CHANGES_TRAINING = " (changes the training)"
_WORTH = 0.99  # of the cost: what saves less is no recommendation
_MEMORY = 0.6  # of a GPU for an engine that shares it
_MOST_STALENESS = 64
_ROOM = 0.9  # of a halved limit, for the mean
Change = tuple[str, Mapping[str, Any]]
After = Callable[[Mapping[str, Any], Mapping[str, Any]], Mapping[str, Any]]


def _of_the_loop(values: Mapping[str, Any]) -> Iterator[Change]:
    """Other splits, staleness and placement."""
    if values["placement"] != "apart":
        return
    if values["train_gpus"] != values["best_train_gpus"]:
        yield "{train_gpus} for training", {"train_gpus": values["best_train_gpus"]}
    if values["max_staleness"] < _MOST_STALENESS:
        more_staleness = values["max_staleness"] + 1
        yield "a staleness of {max_staleness}" + _CHANGES_TRAINING, {"max_staleness": more_staleness}
    if values["max_staleness"] and values["late_samples"] != "carried":
        yield "late answers carried over" + _CHANGES_TRAINING, {"late_samples": "carried"}
    together = {"placement": "colocated", "late_samples": "waited", "max_staleness": 0.0}
    yield "colocated, on policy" + _CHANGES_TRAINING, together


def _of_the_work(values: Mapping[str, Any]) -> Iterator[Change]:
    """Shorter answers, fewer passes, more sandboxes and verifiers."""
    half = float(values["longest_answer"] // 2)
    if half > values["output_tokens"] / _ROOM:
        yield "{longest_answer} at most, same mean" + _CHANGES_TRAINING, {"longest_answer": half}
    if values["old_logprobs"]:
        yield "no second pass for old log-probabilities", {"old_logprobs": False}
    if values["sandboxes"] is not None:
        yield "{sandboxes} sandboxes", {"sandboxes": 2 * values["sandboxes"]}
    if values["rl_bottleneck"].word == VERIFIERS:
        yield "{verifier_pool} for verifiers", {"verifier_pool": 2 * values["verifier_pool"]}


def _changes(values: Mapping[str, Any]) -> Iterator[Change]:
    """Changes to try."""
    if values["reference_model"]:
        yield "no reference model" + _CHANGES_TRAINING, {"reference_model": False}
    if values["algorithm"] != "dpo":
        yield from _of_the_loop(values)
        yield from _of_the_work(values)


def proposals(after: After) -> Callable[[Mapping[str, Any]], Iterator[Change]]:
    """Recommendations of post-training; `after` are its values after changes."""

    def recommendations(values: Mapping[str, Any]) -> Iterator[Change]:
        """Changes that make the run cheaper, the cheapest first; a lower engine share where memory does not fit."""
        too_full = values["phases_fit"].level == "bad" and values["gpu_memory_utilization"] > _MEMORY
        if too_full and values["placement"] == "colocated":
            yield "{generating_memory} while generating: less for the engine", {"gpu_memory_utilization": _MEMORY}
        tried = []
        for label, change in _changes(values):
            found = after(values, change)
            if found["rl_total_cost"] < _WORTH * values["rl_total_cost"]:
                tried.append((float(f"{found['rl_total_cost']:.9g}"), label, change))
        for _, label, change in sorted(tried, key=lambda one: one[:2]):
            yield "{rl_step_time} per step: " + label, change

    return recommendations
