"""A training log next to this calculator: speed, MFU, step time and memory after warm-up, and how even the steps are.

Megatron counts causal attention in its FLOP/s and torchtitan full attention; each is compared with the MFU of its own
convention. The lower limit is the lowest MFU published for such runs, in proportion to the MFU assumed here.
"""

from collections.abc import Iterator, Mapping
from statistics import median
from typing import Any

from calculators import facts, units
from calculators.declare import CheckedRun, MeasuredResult, Reason
from calculators.declare.measurements import FAIL, INVESTIGATE
from calculators.measured import training
from calculators.measured.record import TrainingRun

_MFU = facts.fact("mfu")
_LEAST = float(_MFU.low or _MFU.value)
_MFU_OF = {"Megatron": "mfu_causal", "torchtitan": "mfu_full"}
_FLOPS_OF = {"Megatron": "causal_flops_per_token", "torchtitan": "full_flops_per_token"}
_SAME_MODEL = 1.2  # FLOPs per token of the log ÷ of the model entered, either way
_UNEVEN = 1.1  # p95 ÷ median
_ENOUGH = 10  # steps after warm-up
_PAIR = 2  # steps: the first of them is the warm-up
_NAMED = 3  # slow steps that are named

read = training.read


def check(run: TrainingRun, values: Mapping[str, Any]) -> CheckedRun:
    """A log next to a state."""
    steps = training.steady(run.steps)
    paces = [one.pace for one in steps]
    typical = median(paces)
    uneven = training.upper(paces) / typical
    times = [one.seconds for one in steps if one.seconds is not None]
    rates = [one.tokens_per_second for one in steps if one.tokens_per_second is not None]
    flops = [one.flops for one in steps if one.flops is not None]
    other = _other_model(run.tool, median(rates) if rates else None, median(flops) if flops else None, values)
    doubt = other or _few(len(steps))
    results = [
        *(_speed(median(rates), values, doubt, comparable=not other) if rates else ()),
        *(_utilization(median(flops), run.tool, values, doubt, comparable=not other) if flops else ()),
        *_times(times),
        MeasuredResult(name="unevenness", label="Step time, p95 ÷ median", unit="1", measured=uneven),
        *(
            (MeasuredResult(name="memory", label="Memory reserved per GPU", unit="GiB", measured=run.memory),)
            if run.memory
            else ()
        ),
    ]
    is_slow = any(one.state in {FAIL, INVESTIGATE} for one in results)
    reasons = tuple(_reasons(run, [(one.number, one.pace / typical) for one in steps], uneven, is_slow=is_slow))
    on = units.counted(run.gpus, "GPU") if run.gpus else "GPUs not stated"
    warm = len(run.steps) - len(steps)
    counted = f"{units.counted(len(steps), 'logged step')} after {warm:,} of warm-up"
    return CheckedRun(run=f"{run.tool}, {on}, {counted}", results=tuple(results), reasons=reasons)


def _other_model(tool: str, rate: float | None, flops: float | None, values: Mapping[str, Any]) -> str:
    """Why a log is not of the model or accelerator entered; empty where nothing says so."""
    if flops is not None and flops > values["arithmetic_flops"]:
        peak, stated = units.text(values["arithmetic_flops"], "FLOP/s"), units.text(flops, "FLOP/s")
        return f"{stated} per GPU is above the peak, {peak}: another accelerator or precision, or a wrong FLOP count"
    if rate and flops is not None:
        of_log, expected = flops / rate, float(values[_FLOPS_OF[tool]])
        if not expected / _SAME_MODEL <= of_log <= expected * _SAME_MODEL:
            per_token = f"{units.text(of_log, 'FLOP')} per token in the log, {units.text(expected, 'FLOP')} here"
            return f"{per_token}: enter the model and sequence length of the log"
    return ""


def _few(steps: int) -> str:
    """Why so few steps do not count; empty where there are enough."""
    many = f"{steps} logged step{'s' if steps > 1 else ''} after warm-up: log at least {_ENOUGH}"
    return many if steps < _ENOUGH else ""


def _speed(rate: float, values: Mapping[str, Any], doubt: str, *, comparable: bool) -> Iterator[MeasuredResult]:
    expected = values["tokens_per_second_per_gpu"]
    yield MeasuredResult(
        name="tokens_per_second_per_gpu",
        label="Tokens per second per GPU",
        unit="token/s",
        measured=rate,
        passing=expected,
        failing=expected * min(1.0, _LEAST / values["step_mfu"]),
        doubt=doubt,
        comparable=comparable,
    )


def _utilization(
    flops: float, tool: str, values: Mapping[str, Any], doubt: str, *, comparable: bool
) -> Iterator[MeasuredResult]:
    name = _MFU_OF[tool]
    yield MeasuredResult(
        name=name,
        label="MFU with causal attention" if name == "mfu_causal" else "MFU with full attention",
        unit="share",
        measured=flops / values["arithmetic_flops"],
        passing=values[name],
        failing=values[name] * min(1.0, _LEAST / values["step_mfu"]),
        doubt=doubt,
        comparable=comparable,
    )
    yield MeasuredResult(name="flops_per_gpu", label="Model FLOP/s per GPU", unit="FLOP/s", measured=flops)


def _times(times: list[float]) -> Iterator[MeasuredResult]:
    if times:
        yield MeasuredResult(name="step_time", label="Step time, median", unit="s", measured=median(times))
        yield MeasuredResult(name="step_time_p95", label="Step time, p95", unit="s", measured=training.upper(times))


def _reasons(run: TrainingRun, paces: list[tuple[int, float]], uneven: float, *, is_slow: bool) -> Iterator[Reason]:
    """Likely reasons, likeliest first: uneven steps, skipped ones, then a slow level."""
    if uneven > _UNEVEN and len(paces) > _PAIR:
        slowest = sorted(paces, key=lambda one: -one[1])[:_NAMED]
        named = ", ".join(f"{number:,} ({times:.2f}×)" for number, times in slowest)
        yield Reason(
            name="uneven steps",
            looks=f"The slowest 5% of steps take {uneven:.2f}× the median or more; the slowest: {named}",
            look_at="At equal distances: checkpoints, evaluation, garbage collection (torchtitan's gc_freq). "
            "At random: the data loader, storage, one slow or throttled node (compare ranks: Megatron's "
            "--timing-log-option all, DCGM clocks).",
        )
    if run.skipped:
        yield Reason(
            name="skipped iterations",
            looks=f"{run.skipped:,} iterations changed no weight",
            look_at="Overflow of fp16 gradients: the loss scale still falls, or train in bf16.",
        )
    if is_slow and uneven <= _UNEVEN:
        yield Reason(
            name="slow throughout",
            looks="Steps are even, and each is slower than assumed",
            look_at="Recomputation, micro-batch size and pipeline bubbles, exposed communication (collectives "
            "--measured with nccl-tests), clocks and power limits; another sequence length or model than entered here.",
        )


def given(run: TrainingRun) -> Mapping[str, str]:
    """Inputs that a log states: GPUs and sequence length."""
    stated = {"gpus": run.gpus, "sequence_length": run.sequence_length}
    return {name: str(one) for name, one in stated.items() if one}
