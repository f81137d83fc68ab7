"""Variants: a result in a changed state of the graph, and ratios of two results."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from calculators.declare.errors import DeclarationError
from calculators.declare.formulas import AnyFormula, Formula, cited


def variant(
    result: AnyFormula,
    changes: Mapping[str, str | AnyFormula],
    *,
    name: str,
    label: str,
    through: Sequence[AnyFormula] = (),
    source: str | Iterable[str] = (),
    **stated: Any,
) -> AnyFormula:
    """Formula `name`: `result` in the state after `changes`.

    `changes` maps a value that the result depends on to the name of another value of the graph, or to a formula that
    computes it from the values of that state. `through` are the formulas between those values and the result:
    each that depends on a change is computed again, everything else is read from the graph. The unit, the sources and
    the word for no value are those of the result unless `source` names others; `stated` overrides other fields.
    Raises DeclarationError where nothing that changes reaches the result.

    >>> from calculators.declare import step
    >>> @step("s", "Time")
    ... def time(size: float, rate: float) -> float:
    ...     return size / rate
    >>> slow = variant(time, {"rate": "slow_rate"}, name="slow_time", label="Time at the slow rate")
    >>> slow.needs, slow(8.0, 2.0), slow.body
    (('size', 'slow_rate'), 4.0, 'return time(rate=slow_rate)')
    """
    chain = _affected(result, changes, through)
    if not chain:
        raise DeclarationError(f"{name}: {result.name} depends on none of {', '.join(changes)}")
    wired = _read(chain)

    def again(*given: Any) -> Any:
        known = dict(zip(wired, given, strict=True))
        for formula, needs in chain:
            known[formula.name] = formula.function(*[known[need] for need in needs])
        return known[result.name]

    again.__doc__ = f"{label}, by the formula of {result.name}."
    again.__annotations__["return"] = result.function.__annotations__["return"]
    again.__module__ = sys._getframe(1).f_globals["__name__"]  # noqa: SLF001  where it is declared, as for a dataclass
    described = {"unit": result.unit, "binary": result.binary, "sources": cited(source) or result.sources}
    return Formula(
        name=name,
        role=result.role,
        function=again,
        label=label,
        wired=wired,
        written=f"{result.name}({', '.join(f'{changed}={_written(by)}' for changed, by in changes.items())})",
        **{**described, "not_applicable": result.not_applicable, **stated},
    )


def ratio(name: str, part: str, whole: str, label: str, *, unit: str = "share", **stated: Any) -> AnyFormula:
    """Formula `name`: `part` ÷ `whole` [unit], two values of the graph.

    >>> ratio("data_share", "exposed_data_time", "step_time", "Exposed data-parallel time, of the step")(1.0, 4.0)
    0.25
    """

    def divided(dividend: float, divisor: float) -> float:
        return dividend / divisor

    divided.__doc__ = f"{label} [{unit}]."
    divided.__module__ = sys._getframe(1).f_globals["__name__"]  # noqa: SLF001  where it is declared
    written = f"{part} / {whole}"
    return Formula(
        name=name, role="step", function=divided, unit=unit, label=label, wired=(part, whole), written=written, **stated
    )


_Step = tuple[AnyFormula, tuple[str, ...]]


def _affected(
    result: AnyFormula, changes: Mapping[str, str | AnyFormula], through: Sequence[AnyFormula]
) -> tuple[_Step, ...]:
    """Formulas to compute again, in order, each with its parameters' names in the changed state."""
    copied = {changed: by for changed, by in changes.items() if isinstance(by, str)}
    replaced = {changed: by for changed, by in changes.items() if not isinstance(by, str)}
    known = {formula.name: formula for formula in (*through, result)} | replaced
    ordered: dict[str, _Step | None] = {}

    def visit(name: str, ancestors: tuple[str, ...]) -> bool:
        """Whether this value changes in that state; values to compute again are put in order."""
        if name in copied:
            return True
        if name in ordered:
            return ordered[name] is not None
        formula = known.get(name)
        if formula is None or name in ancestors:
            return False
        within = (*ancestors, name)
        affected = [need for need in formula.needs if need != name and visit(need, within)]
        needs = tuple(copied.get(need, need) for need in formula.needs)
        ordered[name] = (_renamed(formula, name), needs) if affected or name in replaced else None
        return ordered[name] is not None

    visit(result.name, ())
    return tuple(step for step in ordered.values() if step is not None)


def _read(chain: Iterable[_Step]) -> tuple[str, ...]:
    """Names read from the graph: needed but not computed again."""
    read, computed = list[str](), set[str]()
    for formula, needs in chain:
        read += [need for need in needs if need not in computed]
        computed.add(formula.name)
    return tuple(dict.fromkeys(read))


def _renamed(formula: AnyFormula, name: str) -> AnyFormula:
    """Formula that computes a changed value under that value's name."""
    if formula.name == name:
        return formula
    return Formula(name=name, role="step", function=formula.function, wired=formula.needs)


def _written(by: str | AnyFormula) -> str:
    return by if isinstance(by, str) else by.body.removeprefix("return ")
