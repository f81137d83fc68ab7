"""Event logs: where the wall clock of a job went, from a list of events or from Slurm's accounting.

A list of events is CSV with the columns time and event, in order; times are seconds or ISO dates. A third column, step,
may hold the last step that is done, where training begins, a save begins, or the job fails. Slurm's accounting is what
`sacct --parsable2 --duplicates --format=JobID,State,Submit,Start,End` prints for the attempts of one job; with another
--delimiter, or in columns without --parsable2, it is read as well.

A failure is an end that was not ordered. A job that its user, the scheduler or its time limit ends loses work and
starts again as well, but says nothing of hardware or software: it is counted apart, as an interruption.
"""

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import inf, isfinite, isnan, nan

from calculators.subjects.storage.goodput.accounting import FAILED, STOPPED, Attempt, attempts, overlap
from calculators.subjects.storage.goodput.cluster import Cluster, cluster
from calculators.subjects.storage.goodput.log_text import Lines, LogError, Times, cells, log_lines

EVENTS = {
    "queued": "the job waits for nodes",
    "started": "it has them, and processes start",
    "training": "steps run, for the first time or again",
    "save": "training stops for a checkpoint",
    "resumed": "training continues; the checkpoint may still be written",
    "safe": "the oldest checkpoint under way is restorable from now on",
    "failed": "the job fails; training since the newest restorable checkpoint began is lost",
    "stopped": "the user, the scheduler or a time limit ends it, which loses as much",
    "noticed": "the failure is detected",
    "ended": "the job is done",
}
_STEP = 2  # the column that may hold a step


@dataclass(frozen=True, kw_only=True)
class Clock:
    """Where the wall clock went [s], and how often the job failed, or was interrupted without having failed.

    `kept`, `lost` and `stalled` are the job's running; `noticing`, `starting` and `waiting` follow both; `queued` is
    the wait before the first start. `states` counts both by the names that accounting gives them, `jobs` the numbers
    that the attempts bear. What the log leaves unsaved at its end counts as kept. `saves` [s] are the times until a
    save was safe. `at_most`: nothing is known of saves and starts, so that what is kept is an upper bound. Where the
    log counts steps, `steps_kept` are those that stay, `step_time` [s] is what one took at its fastest.
    """

    kept: float = 0
    lost: float = 0
    stalled: float = 0
    noticing: float = 0
    starting: float = 0
    waiting: float = 0
    queued: float = 0
    failures: int = 0
    interruptions: int = 0
    states: Mapping[str, int] = field(default_factory=dict)
    jobs: int = 1
    stalls: int = 0
    saves: tuple[float, ...] = ()
    at_most: bool = False
    steps_kept: float = 0
    step_time: float = 0

    @property
    def stops(self) -> int:
        """Number of times work was lost and the job restarted, for any cause."""
        return self.failures + self.interruptions

    @property
    def running(self) -> float:
        """Time in which the job ran [s]: lasting progress, recomputed work, checkpoint stalls."""
        return self.kept + self.lost + self.stalled

    @property
    def elapsed(self) -> float:
        """Time from the first start to the end [s]."""
        return self.running + self.noticing + self.starting + self.waiting


def read(text: str) -> Cluster | Clock:
    """A cluster in an accounting of many jobs, else the clock of one job. Raises LogError."""
    lines = log_lines(text)
    found = attempts(lines)
    return _of_events(lines) if found is None else cluster(found) or _of_slurm(found)


def _events(lines: Lines) -> Iterator[tuple[int, float, str, float | None]]:
    rows = cells(lines, ",")
    heading = [cell.strip().lower() for cell in next(rows)[1]]
    if heading[:2] != ["time", "event"]:
        raise LogError("The first line must be time,event (or what sacct --parsable2 prints)")
    last, times = None, Times()
    for number, row in rows:
        if len(row) < len(("time", "event")):
            raise LogError(f"Line {number}: a time and an event are needed, with a comma between")
        time, event = times.seconds(row[0].strip(), number), row[1].strip().lower()
        if event not in EVENTS:
            raise LogError(f"Line {number}: “{row[1].strip()}” is not an event; use one of {', '.join(EVENTS)}")
        if last is not None and time < last:
            raise LogError(f"Line {number}: its time is before the line above")
        last = time
        yield number, time, event, _step(row, number)
    if last is None:
        raise LogError("The log holds no event")


def _step(row: list[str], line: int) -> float | None:
    text = row[_STEP].strip() if len(row) > _STEP else ""
    try:
        step = float(text) if text else None
    except ValueError:
        step = nan
    if step is not None and not isfinite(step):
        raise LogError(f"Line {line}: “{text}” is not a step; write the number of the last completed one")
    return step


@dataclass
class _Steps:
    """Steps that were kept, and the fastest time of a step, from events."""

    first: float | None = None
    done: float = 0
    trained: float = 0
    fastest: float = 0

    def add(self, step: float | None, trained: float) -> None:
        """Record that `step` is done after so many seconds of training."""
        if step is None:
            return
        if self.first is None:
            self.first = step
        elif step > self.done and trained > self.trained:
            pace = (trained - self.trained) / (step - self.done)
            self.fastest = min(self.fastest or pace, pace)
        self.done, self.trained = step, trained


_AFTER = {
    "queued": "waiting",
    "started": "starting",
    "training": "training",
    "save": "stalled",
    "resumed": "training",
    "failed": "noticing",
    "stopped": "waiting",
    "noticed": "waiting",
}
_UP = ("training", "stalled", "starting")
_NEEDS = {"save": ("training",), "resumed": ("stalled",), "failed": _UP, "stopped": _UP}


def _of_events(lines: Lines) -> Clock:
    spent = dict.fromkeys(("waiting", "starting", "training", "stalled", "noticing"), 0.0)
    queued = lost = position = safe = 0.0
    under_way: list[tuple[float, float, float]] = []
    steps = _Steps()
    safe_step: float | None = None
    saves: list[float] = []
    stops, stalls = Counter[str](), 0
    phase, since, has_started, ended = (
        "",
        0.0,
        False,
        False,
    )  # before the first event no time passes: any `since` would do
    for number, time, event, step in _events(lines):
        if ended and event != "safe":
            raise LogError(
                f"Line {number}: “{event}” after the job ended; give one job's log, “failed” where it went on"
            )
        if event in _NEEDS and phase not in _NEEDS[event]:
            raise LogError(f"Line {number}: “{event}” while the job is {phase or 'not there'}")
        passed = time - since if phase else 0.0
        if phase == "waiting" and not has_started:
            queued += passed
        elif phase:
            spent[phase] += passed
        position += passed if phase == "training" else 0.0
        steps.add(step, spent["training"])
        has_started = has_started or event in {"started", "training"}
        since = time
        if event == "safe":
            if not under_way:
                raise LogError(f"Line {number}: “safe”, but no checkpoint is under way")
            start, safe, safe_step = under_way.pop(0)
            saves.append(time - start)
        elif event == "save":
            under_way.append((time, position, steps.done))
            stalls += 1
        elif event in {"failed", "stopped"}:
            lost, position, under_way = lost + position - safe, safe, []
            stops[event] += 1
            steps.done = (steps.first or 0) if safe_step is None else safe_step
        ended = ended or event == "ended"
        phase = "" if ended else _AFTER.get(event, phase)
    return Clock(
        kept=spent["training"] - lost,
        lost=lost,
        stalled=spent["stalled"],
        noticing=spent["noticing"],
        starting=spent["starting"],
        waiting=spent["waiting"],
        queued=queued,
        failures=stops["failed"],
        interruptions=stops["stopped"],
        stalls=stalls,
        saves=tuple(saves),
        steps_kept=steps.done - (steps.first or 0),
        step_time=steps.fastest,
    )


def _of_slurm(found: list[Attempt]) -> Clock:
    for earlier, later in itertools.pairwise(found):
        if later.start < earlier.end < inf:
            raise LogError(f"Line {later.line}: {overlap(earlier, later)}")
    if any(isnan(one.submit) for one in found):
        raise LogError("The accounting lacks Submit, without which a job's wait is not known: print it as well")
    if unfinished := next((one for one in found if one.end == inf), None):
        raise LogError(f"Line {unfinished.line}: this attempt is still running; leave it out, or write an end time")
    running = sum(one.run for one in found)
    elapsed = max(one.end for one in found) - found[0].start
    states = Counter(one.state for one in found)
    return Clock(
        kept=running,
        waiting=max(0.0, elapsed - running),
        queued=found[0].start - min(one.submit for one in found),
        failures=sum(states[state] for state in FAILED),
        interruptions=sum(states[state] for state in STOPPED),
        states={state: states[state] for state in (*FAILED, *STOPPED) if states[state]},
        jobs=len({one.number for one in found}),
        at_most=True,
    )
