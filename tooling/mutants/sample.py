"""Leave only the changes of a session that mean something, and only some of those: `sample SESSION COUNT`.

Runs in the environment of cosmic-ray, after its filters, where the module lies. Declarations go: what an input's range
and default are, the ledger keeps; so do changes after which the program is the same. COUNT of the rest stay, evenly
over the module; all of them when it is 0.
"""

from __future__ import annotations

import sys
from pathlib import Path

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import WorkerOutcome, WorkItem, WorkResult

from tooling.mutants.meant import Meaning, meaning


def skip(session: WorkDB, item: WorkItem, why: str) -> None:
    """Mark a change as not to be tried."""
    session.set_result(item.job_id, WorkResult(output=why, worker_outcome=WorkerOutcome.SKIPPED))


def sample(session: WorkDB, count: int) -> None:
    """Skip all that mean nothing, and all but `count` of the others at equal steps in the order of the source."""
    pending = sorted(session.pending_work_items, key=lambda item: (item.mutations[0].start_pos, item.job_id))
    meant = meaning(Path(pending[0].mutations[0].module_path).read_text("utf-8")) if pending else Meaning()
    why = {item.job_id: meant.why_not(item.mutations[0].operator_name, item.mutations[0].start_pos) for item in pending}
    tried = [item for item in pending if not why[item.job_id]]
    chosen = {tried[place * len(tried) // count].job_id for place in range(min(count, len(tried)))}
    for item in pending:
        if why[item.job_id]:
            skip(session, item, why[item.job_id])
        elif 0 < count < len(tried) and item.job_id not in chosen:
            skip(session, item, "not drawn")


if __name__ == "__main__":
    with use_db(sys.argv[1]) as opened:
        sample(opened, int(sys.argv[2]))
