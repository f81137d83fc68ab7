"""Leave only the changes of a session that mean something, and only some of those: `sample SESSION COUNT`.

Runs in the environment of cosmic-ray, after its filters, where the modules lie. Declarations go: what an input's range
and default are, the ledger keeps; so do changes after which the program is the same. COUNT of the rest stay, evenly
over the modules; all of them when it is 0.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import WorkerOutcome, WorkItem, WorkResult

from tooling.mutants.meant import meaning

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tooling.mutants.meant import Meaning


def skip(session: WorkDB, item: WorkItem, why: str) -> None:
    """Mark a change as not to be tried."""
    session.set_result(item.job_id, WorkResult(output=why, worker_outcome=WorkerOutcome.SKIPPED))


def place(item: WorkItem) -> tuple[str, tuple[int, int], str]:
    """Where a change is: its module, the place in it, and what distinguishes it there."""
    return str(item.mutations[0].module_path), item.mutations[0].start_pos, item.job_id


def sample(session: WorkDB, count: int) -> None:
    """Skip all that mean nothing, and all but `count` of the others at equal steps in the order of the source."""
    pending = sorted(session.pending_work_items, key=place)
    modules = {item.mutations[0].module_path for item in pending}
    meant = {module: meaning(Path(module).read_text("utf-8")) for module in modules}
    why = {item.job_id: why_not(meant, item) for item in pending}
    tried = [item for item in pending if not why[item.job_id]]
    chosen = {tried[number * len(tried) // count].job_id for number in range(min(count, len(tried)))}
    for item in pending:
        if why[item.job_id]:
            skip(session, item, why[item.job_id])
        elif 0 < count < len(tried) and item.job_id not in chosen:
            skip(session, item, "not drawn")


def why_not(meant: Mapping[Path, Meaning], item: WorkItem) -> str:
    """Why a change is not tried; nothing where it is."""
    change = item.mutations[0]
    return meant[change.module_path].why_not(change.operator_name, change.start_pos)


if __name__ == "__main__":
    with use_db(sys.argv[1]) as opened:
        sample(opened, int(sys.argv[2]))
