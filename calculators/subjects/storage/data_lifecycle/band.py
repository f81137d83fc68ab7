"""Band: the plan if growth is half of what is expected, or one and a half times as much."""

from calculators.declare import AnyFormula, Formula, formulas_of, variant
from calculators.subjects.storage.data_lifecycle import bill, estate, stocks

_LEAST = -0.99  # arrivals that all but end; less would be less than nothing
_CHAIN = (
    *(estate.raw_stream, estate.prepared_stream, estate.staged_stream, estate.index_stream),
    *(estate.estate, estate.plan, bill.bill),
)


def _times(name: str, factor: float) -> AnyFormula:
    def times(growth: float) -> float:
        return max(_LEAST, growth * factor)

    return Formula(name=name, role="step", function=times, wired=(name,), written=f"{factor:g} * {name}")


def _changes(factor: float) -> dict[str, str | AnyFormula]:
    return {name: _times(name, factor) for name in ("ingest_growth", "prepared_growth", "index_growth")}


_HALF, _MORE = _changes(1 / 2), _changes(3 / 2)

bill_at_half_growth = variant(
    bill.bill_total, _HALF, name="bill_at_half_growth", label="Bill at half the growth", through=_CHAIN
)
bill_at_more_growth = variant(
    bill.bill_total, _MORE, name="bill_at_more_growth", label="Bill at 1.5 times the growth", through=_CHAIN
)
stored_at_half_growth = variant(
    stocks.stored_at_end, _HALF, name="stored_at_half_growth", label="Stored at the end, half growth", through=_CHAIN
)
stored_at_more_growth = variant(
    stocks.stored_at_end, _MORE, name="stored_at_more_growth", label="Stored at the end, 1.5× growth", through=_CHAIN
)

FORMULAS = formulas_of(globals())
