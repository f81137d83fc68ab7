"""Leave only some of a session's changes to be tried, evenly over the module: `sample.py SESSION COUNT`.

Runs in the environment of cosmic-ray, after its filters.
"""

from __future__ import annotations

import sys

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import WorkerOutcome, WorkResult


def sample(session: WorkDB, count: int) -> None:
    """Mark as skipped all but `count` of the pending changes, taken at equal steps in the order of the source."""
    pending = sorted(session.pending_work_items, key=lambda item: (item.mutations[0].start_pos, item.job_id))
    chosen = {pending[place * len(pending) // count].job_id for place in range(min(count, len(pending)))}
    for item in pending:
        if len(pending) > count and item.job_id not in chosen:
            session.set_result(item.job_id, WorkResult(output="not drawn", worker_outcome=WorkerOutcome.SKIPPED))


if __name__ == "__main__":
    with use_db(sys.argv[1]) as opened:
        sample(opened, int(sys.argv[2]))
