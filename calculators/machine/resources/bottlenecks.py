"""Resources of a system: demand and supply of each, gain or headroom, and which one is the bottleneck.

The bottleneck is the capacity with the worst negative margin; where none is negative, the rate of which 10%
more gains most. Rates whose gains lie within 10% of the largest are balanced with it.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from calculators import units
from calculators.answers import answer
from calculators.answers.explore.search import Search
from calculators.declare import Level, Verdict
from calculators.machine.kinds import Kind as JobKind
from calculators.machine.kinds import Machine
from calculators.machine.resources import prices
from calculators.machine.resources.capacities import TIGHT, Margin, margins
from calculators.machine.resources.rates import GROWN, MORE, MarginalGain, gains

Kind = Literal["rate", "capacity"]
_LARGEST = "largest gain"
PLENTY = 0.5  # of a rate that could be spared
BALANCED = 0.9  # of the largest gain: within 10% of each other


def definition(kind: JobKind) -> str:
    """Definition of the bottleneck, for readers."""
    return (
        "The bottleneck is the capacity that is exceeded most; if none is, the rate of which 10% more "
        f"{kind.best}. Rates with gains within 10% of the largest are balanced with it. Compute nearly always "
        "gains most, so headroom and cost of a gain are shown with it."
    )


@dataclass(frozen=True, kw_only=True)
class Resource:
    """One pillar, its numbers [base units, shares] and finished texts; a capacity has a margin, a rate the others."""

    key: str
    title: str
    kind: Kind
    calculator: str
    asked: str
    there: str
    verdict: Verdict
    margin: float | None = None
    gain: float | None = None
    slack: float | None = None
    gain_per_dollar: float | None = None
    margin_text: str = ""
    gain_text: str = ""
    slack_text: str = ""
    gain_per_dollar_text: str = ""


@dataclass(frozen=True, kw_only=True)
class Limit:
    """The limiting pillar, those balanced with it, and a sentence."""

    resource: Resource
    balanced: tuple[Resource, ...]
    message: str


def resources(found: Machine) -> tuple[Resource, ...]:
    """Every pillar: rates first, then capacities."""
    return Search(each_resource(found)).run()


def each_resource(found: Machine) -> Generator[None, None, tuple[Resource, ...]]:
    """Every resource, with a pause after every trial."""
    rates = []
    for one in gains(found):
        if one is None:
            yield
        else:
            rates.append(one)
    most = max(one.gain for one in rates)
    held = tuple(_capacity(found, one) for one in margins(found))
    runs = not answer.supposed(found.calculator, found.values)
    limits = runs and not any(one.margin is not None and one.margin < 0 for one in held)
    return (*(_rate(found, one, most, limits=limits) for one in rates), *held)


def limit(known: Sequence[Resource]) -> Limit:
    """Bottleneck that limits."""
    exceeded = [one for one in known if one.margin is not None and one.margin < 0]
    if exceeded:
        worst = min(exceeded, key=lambda one: one.margin or 0.0)
        message = f"Bottleneck: {worst.title}: {worst.asked} required, {worst.there} available."
        return Limit(resource=worst, balanced=(), message=message)
    rates = [one for one in known if one.gain is not None]
    first = max(rates, key=lambda one: one.gain or 0.0)
    alike = tuple(one for one in rates if one is not first and (one.gain or 0.0) >= BALANCED * (first.gain or 0.0) > 0)
    supposed = " if it ran" if first.verdict.word == _LARGEST else ""
    if alike:
        names = " and ".join(one.title.lower() for one in alike)
        message = f"{first.title} is balanced with {names}{supposed}: {first.gain_text}."
        return Limit(resource=first, balanced=alike, message=message)
    return Limit(resource=first, balanced=(), message=f"Bottleneck{supposed}: {first.title}, {first.gain_text}.")


def _rate(found: Machine, one: MarginalGain, most: float, *, limits: bool) -> Resource:
    calculator, rate, values = found.calculator, one.rate, found.values
    dollars = prices.of_ten_percent_more(found, rate.key)
    return Resource(
        key=rate.key,
        title=rate.title,
        kind="rate",
        calculator=rate.calculator,
        asked=answer.filled(calculator, rate.asked, values),
        there=answer.filled(calculator, rate.there, values),
        gain=one.gain,
        gain_text=f"{units.text(MORE, 'share')} better {found.kind.gained.format(share=units.text(one.gain, 'share'))}",
        slack=one.slack,
        slack_text=_slack(found, one),
        gain_per_dollar=one.saved / dollars.cost if dollars.cost else None,
        gain_per_dollar_text=(
            f"saves {units.text(one.saved, 'USD')} for {units.text(dollars.cost, 'USD')} {dollars.words}"
            if dollars.cost
            else dollars.words
        ),
        verdict=_judged(one, most, limits=limits, is_short=rate.is_short(values)),
    )


def _slack(found: Machine, one: MarginalGain) -> str:
    """Headroom in words: how far the rate may fall, or its times grow."""
    before = f"before {found.kind.grown.format(share=units.text(GROWN, 'share'))}"
    if one.slack >= 1:
        return "has no effect on this job"
    if one.rate.falls:
        return f"may take {units.text(1 / (1 - one.slack), '1')} times as long {before}"
    (name,) = one.rate.inputs
    return f"may fall to {found.calculator.text(name, found.values[name] * (1 - one.slack))} {before}"


def _judged(one: MarginalGain, most: float, *, limits: bool, is_short: bool) -> Verdict:
    """Word of a rate: the one that gains most is the bottleneck where rates limit: nothing is exceeded, and it runs."""
    if is_short:
        return Verdict(level="bad", word="too slow", reason="Less is available than required.")
    spare = f"{units.text(one.slack, 'share')} of it is headroom."
    if one.gain >= most:
        return Verdict(level="tight", word="bottleneck" if limits else _LARGEST, reason="No other rate gains more.")
    if one.gain >= BALANCED * most:
        return Verdict(level="tight", word="balanced", reason="Another rate gains little more.")
    if one.slack >= PLENTY:
        return Verdict(level="good", word="more than needed", reason=spare)
    return Verdict(level="good", word="in use", reason=spare)


def _capacity(found: Machine, one: Margin) -> Resource:
    calculator, capacity = found.calculator, one.capacity
    there = "" if one.there is None else calculator.text(capacity.there, one.there)
    return Resource(
        key=capacity.key,
        title=capacity.title,
        kind="capacity",
        calculator=capacity.calculator,
        asked=calculator.text(capacity.asked, one.asked),
        there=there or "no limit given",
        margin=one.margin,
        margin_text="" if one.margin is None else units.text(one.margin, "share"),
        verdict=_fits(one.margin, found.values[capacity.judged].level) if capacity.judged else _fits(one.margin),
    )


def _fits(margin: float | None, beyond: Level = "bad") -> Verdict:
    if margin is None:
        return Verdict(level="good", word="no limit given")
    if margin < 0:
        return Verdict(level=beyond, word="exceeded" if beyond == "bad" else "slightly exceeded")
    return Verdict(level="tight", word="tight") if margin < TIGHT else Verdict(level="good", word="fits")


def described(known: Sequence[Resource]) -> Iterator[dict[str, object]]:
    """The resources as plain data."""
    for one in known:
        numbers = {"margin": one.margin, "gain": one.gain, "slack": one.slack, "gain_per_dollar": one.gain_per_dollar}
        texts = {
            "margin_text": one.margin_text,
            "gain_text": one.gain_text,
            "slack_text": one.slack_text,
            "gain_per_dollar_text": one.gain_per_dollar_text,
        }
        yield {
            "name": one.key,
            "title": one.title,
            "kind": one.kind,
            "calculator": one.calculator,
            "asked": one.asked,
            "there": one.there,
            **numbers,
            **texts,
            "level": one.verdict.level,
            "verdict": f"{one.verdict.word}. {one.verdict.reason}".removesuffix(" "),
        }
