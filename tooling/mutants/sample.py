"""Leave only the changes of a session that mean something, and only some of those: `sample.py SESSION COUNT`.

Runs in the environment of cosmic-ray, after its filters, where the module lies. Declarations go: what an input's range
and default are, the ledger keeps. COUNT of the rest stay, evenly over the module; all of them when it is 0.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import WorkerOutcome, WorkItem, WorkResult

RANGES = frozenset({"hard", "slider", "spread"})


def declarations(source: str) -> list[ast.expr | ast.AnnAssign]:
    """Decorators of classes, fields of classes, and the ranges of inputs wherever they are declared."""
    found: list[ast.expr | ast.AnnAssign] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            found += [*node.decorator_list, *(field for field in node.body if isinstance(field, ast.AnnAssign))]
        if isinstance(node, ast.Call):
            found += [keyword.value for keyword in node.keywords if keyword.arg in RANGES]
    return found


def is_declared(item: WorkItem, inside: list[ast.expr | ast.AnnAssign]) -> bool:
    """Whether a change lies within a declaration."""
    place = item.mutations[0].start_pos
    return any((one.lineno, one.col_offset) <= place < (one.end_lineno or 0, one.end_col_offset or 0) for one in inside)


def skip(session: WorkDB, item: WorkItem, why: str) -> None:
    """Mark a change as not to be tried."""
    session.set_result(item.job_id, WorkResult(output=why, worker_outcome=WorkerOutcome.SKIPPED))


def sample(session: WorkDB, count: int) -> None:
    """Mark as skipped all declarations, and all but `count` of the others at equal steps in the order of the source."""
    pending = sorted(session.pending_work_items, key=lambda item: (item.mutations[0].start_pos, item.job_id))
    inside = declarations(Path(pending[0].mutations[0].module_path).read_text("utf-8")) if pending else []
    tried = [item for item in pending if not is_declared(item, inside)]
    chosen = {tried[place * len(tried) // count].job_id for place in range(min(count, len(tried)))}
    for item in pending:
        if item not in tried:
            skip(session, item, "declared")
        elif 0 < count < len(tried) and item.job_id not in chosen:
            skip(session, item, "not drawn")


if __name__ == "__main__":
    with use_db(sys.argv[1]) as opened:
        sample(opened, int(sys.argv[2]))
