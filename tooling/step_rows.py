"""Published training runs and the speed that the planner calculates for their layouts.

    python -m tooling.step_rows         how far it is from every published run, by source and family
    python -m tooling.step_rows fit     the constants fitted again, and each model judged by a fit without it
    python -m tooling.step_rows write   the same errors by family, for page and command line

Rows are in tests/llm/step_rows.json. Those of Megatron Bridge are fitted on; the others judge. Layouts are taken as
published, also where the planner would not propose them.
"""

import json
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from pathlib import Path
from statistics import median
from typing import Any

from calculators.answers.input_state import parse_inputs
from calculators.declare import Values
from calculators.llm.step.constants import KERNELS, Kernels
from calculators.llm.step.kernels import kernel_time, stage_time, stage_work
from calculators.llm.step.micro_batch import device_of, times_of
from calculators.machine.description import machine

FITTED = "bridge"
NEAR = 0.2
ROWS = Path(__file__).parent.parent / "tests" / "llm" / "step_rows.json"
# Ends between which a constant is sought.
_LOW = Kernels(0.70, 0.60, 0.40, 80, 20, 0.40, 0.50, 0.01, 8, 5e-6, 0.15, 0.02, 0.5, 1e14)
_HIGH = Kernels(0.88, 0.95, 0.85, 500, 800, 0.80, 0.95, 0.20, 80, 200e-6, 1.0, 0.60, 1.0, 1e15)
WRITTEN = Path(__file__).parent.parent / "calculators" / "machine" / "step" / "accuracy.toml"
NAMES = {
    "nemo-24.07": "NeMo 24.07",
    "automodel": "NeMo AutoModel",
    "torchtitan": "torchtitan",
    "llm-foundry": "LLM Foundry",
    "dgxc-25.04": "NeMo 25.04",
    "dgxc-25.05": "NeMo 25.05",
    "dgxc-25.08": "NeMo 25.07",
    "dgxc-25.10": "NeMo 25.09",
    "maxtext": "MaxText",
    "paxml": "Paxml",
    "jax-toolbox": "Paxml",
    "megatron-lm": "Megatron-LM of 2023",
    "megatron-lm-2021": "Megatron-LM of 2021",
    "megascale": "MegaScale",
    "megatron-deepspeed": "Megatron-DeepSpeed of 2021 and 2022",
    "bigscience": "Megatron-DeepSpeed of 2021 and 2022",
    "automodel-lora": "LoRA in NeMo AutoModel",
    "bridge-lora": "LoRA in Megatron Bridge",
    "mlperf-lora": "LoRA in MLPerf 4.0",
}
_OF_STAGE = ("layers", "stage_layers", "pipeline_parallel", "balanced_stages")
_ROUNDS = 12
_PULL = 0.01  # of a constant towards what it is now, over the square of its range


@dataclass(frozen=True, kw_only=True)
class Run:
    """A published run, its tokens per second and GPU, and every value that the planner calculates for it."""

    family: str
    name: str
    source: str
    accelerator: str
    rate: float
    values: Mapping[str, Any]

    @property
    def error(self) -> float:
        """Calculated over published speed, less one."""
        return self._rate(self.values["step_time"]) / self.rate - 1

    def error_with(self, kernels: Kernels) -> float:
        """Rows with other constants of kernels."""
        values = self.values
        reach = values["matrix_reach"]
        device = device_of(
            (values["arithmetic_flops"] * reach, values["peak_flops"] * reach, values["memory_bandwidth"]),
            values["training_precision"],
            values["cuda_graphs"],
            values["training_software"],
            kernels,
        )
        times = times_of(values["step_shapes"], device, values["rank_work"], kernels)
        stage = stage_work(times, *(values[name] for name in _OF_STAGE))
        computing = kernel_time(stage_time(stage), values["micro_batches"], values["optimizer_time"])
        waiting = values["step_time"] - values["compute_time"] * (1 + values["bubble_share"])
        return self._rate(computing * (1 + values["bubble_share"]) + waiting) / self.rate - 1

    def _rate(self, seconds: float) -> float:
        return float(self.values["tokens_per_step"] / self.values["layout_gpus"] / seconds)


@cache
def runs() -> tuple[Run, ...]:
    """Every published run."""
    stated = json.loads(ROWS.read_text("utf-8"))
    return tuple(_run(row, stated["shapes"]) for row in stated["rows"])


def _run(row: Mapping[str, Any], shapes: Mapping[str, Any]) -> Run:
    given = {"interleave": 1, "expert_tensor_parallel": 1, "zero_stage": 1, **row["given"]}
    given = {**shapes.get(given.pop("shape", ""), {}), **given}
    interleave = float(given.pop("interleave"))
    degrees = ("tensor_parallel", "pipeline_parallel", "context_parallel", "expert_parallel")
    texts = {**dict.fromkeys(degrees, "1"), "recompute": "none", **given}
    resolved = parse_inputs(machine(), {name: str(value) for name, value in texts.items()})
    if resolved.problems:
        raise ValueError(resolved.problems)
    explicit = Values({**resolved.explicit, "interleave": interleave}, {*resolved.explicit.given, "interleave"})
    values = machine().evaluate(explicit)
    menus = {preset.name: preset.by_key for preset in machine().presets}
    accelerator = menus["accelerator"][given["accelerator"]].name
    model = menus["model"].get(row["family"])
    return Run(
        family=row["family"],
        name=model.name if model else row["family"],
        source=row["source"],
        accelerator=" ".join(accelerator.split()[1:2]),
        rate=row["rate"],
        values=values,
    )


def by(key: Callable[[Run], str], among: Iterable[Run], error: Callable[[Run], float]) -> dict[str, list[float]]:
    """Errors of runs by a key, in the order in which its values come."""
    found: dict[str, list[float]] = defaultdict(list)
    for one in among:
        found[key(one)].append(error(one))
    return dict(found)


def near(errors: Sequence[float]) -> float:
    """Share of errors within 20 %."""
    return sum(abs(one) <= NEAR for one in errors) / len(errors)


def table(found: Mapping[str, Sequence[float]]) -> str:
    """Errors as text: a line for each key, and one for all."""
    everything = [one for errors in found.values() for one in errors]
    lines = []
    for key, errors in {**found, "all": everything}.items():
        ends = f"from {min(errors):+.0%} to {max(errors):+.0%}"
        lines.append(
            f"{key:38} {len(errors):4} runs, median {median(errors):+.0%}, {near(errors):4.0%} in 20 %, {ends}"
        )
    return "\n".join(lines)


def fitted(among: Sequence[Run]) -> Kernels:
    """Constants with which the mean size of log errors is least, families by the root of their runs, from those now."""
    names = [name for name in Kernels._fields if name not in {"pytorch", "attention_2", "state"}]
    draw, found, best = random.Random(1), KERNELS, _loss(among, KERNELS)  # noqa: S311  no secret
    steps = dict.fromkeys(names, 0.25)
    for _ in range(_ROUNDS):
        draw.shuffle(names)
        for name in names:
            low, high = getattr(_LOW, name), getattr(_HIGH, name)
            for sign in (1, -1):
                value = min(high, max(low, getattr(found, name) + sign * steps[name] * (high - low)))
                tried = found._replace(**{name: value})
                loss = _loss(among, tried)
                if loss < best:
                    found, best = tried, loss
                    steps[name] *= 1.3
                    break
            else:
                steps[name] *= 0.6
    return found


def _loss(among: Sequence[Run], kernels: Kernels) -> float:
    sizes = by(lambda one: one.family, among, lambda one: min(0.6, abs(log(1 + one.error_with(kernels)))))
    ranges = [high - low for low, high in zip(_LOW, _HIGH, strict=True)]
    moved = [(new - now) / width for new, now, width in zip(kernels, KERNELS, ranges, strict=True)]
    weights = [float(len(each) ** 0.5) for each in sizes.values()]
    means = [sum(each) / len(each) for each in sizes.values()]
    weighed = sum(mean * weight for mean, weight in zip(means, weights, strict=True)) / sum(weights)
    return weighed + _PULL * sum(one * one for one in moved)


def left_out(seen: Sequence[Run]) -> dict[str, list[float]]:
    """Errors of each family with constants that were fitted on the others."""
    found = {}
    for family in dict.fromkeys(one.family for one in seen):
        without = fitted([one for one in seen if one.family != family])
        found[family] = [one.error_with(without) for one in seen if one.family == family]
    return found


def judged() -> dict[str, list[float]]:
    """Errors of runs that the fit has not seen, by source and kind."""
    return by(_kind, [one for one in runs() if one.source != FITTED], lambda one: one.error)


def _kind(one: Run) -> str:
    hybrid = " hybrids" if one.values["attention_layers"] < one.values["layers"] else ""
    kind = " mixtures" if one.values["experts"] > 1 else hybrid
    return f"{NAMES[one.source]}{kind}, {one.accelerator}"


def written() -> str:
    """Errors by family as facts of the planner."""
    seen = [one for one in runs() if one.source == FITTED]
    without = [one for errors in left_out(seen).values() for one in errors]
    names = {one.family: one.name for one in seen}
    models = by(lambda one: one.family, seen, lambda one: one.error)
    groups = [
        *((names[key], "fit", errors) for key, errors in models.items()),
        ("A model left out of the fit", "left out", without),
        *((key, "chosen on" if "Foundry" in key else "judged", errors) for key, errors in judged().items()),
    ]
    lines = ["# Errors of the calculated speed of a step against published runs: python -m tooling.step_rows write"]
    for name, used, errors in groups:
        lines += ["", "[[family]]", f'name = "{name}"', f'used = "{used}"', f"runs = {len(errors)}"]
        shown = {"median": median(errors), "within": near(errors), "least": min(errors), "most": max(errors)}
        lines += [f"{key} = {value:.3f}" for key, value in shown.items()]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print the errors; with `fit`, the constants fitted again and each model judged by a fit without it."""
    seen = [one for one in runs() if one.source == FITTED]
    if "write" in sys.argv[1:]:
        WRITTEN.write_text(written(), "utf-8")
        return
    if "fit" in sys.argv[1:]:
        print({name: float(f"{value:.3g}") for name, value in fitted(seen)._asdict().items()})
        print(f"each model by a fit without it\n{table(left_out(seen))}")
        return
    print(f"fitted on\n{table(by(lambda one: one.family, seen, lambda one: one.error))}")
    others = [one for one in runs() if one.source != FITTED]
    print(f"not fitted on\n{table(by(lambda one: f'{one.source} {one.family}', others, lambda one: one.error))}")
    print(f"by source and kind\n{table(judged())}")


if __name__ == "__main__":
    main()
