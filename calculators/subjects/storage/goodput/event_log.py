"""Event logs: where the wall clock of a job went, from a list of events or from Slurm's accounting.

A list of events is CSV with the columns time and event, in order; times are seconds or ISO dates. A third column, step,
may hold the last step that is done, where training begins, a save begins, or the job fails. Slurm's accounting is what
`sacct --parsable2 --duplicates --format=JobID,State,Submit,Start,End` prints for the attempts of one job; with another
--delimiter, or in columns without --parsable2, it is read as well.

A failure is an end that was not ordered. A job that its user, the scheduler or its time limit ends loses work and
starts again as well, but says nothing of hardware or software: it is counted apart, as an interruption.
"""

import csv
import datetime
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite, nan

from calculators import files

EVENTS = {
    "queued": "the job asks for nodes",
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
_SLURM = ("State", "Submit", "Start", "End")
_NUMBER = ("JobID", "JobIDRaw")
_DONE = "COMPLETED"
# What became of an attempt, by https://slurm.schedmd.com/job_state_codes.html. REQUEUED leaves open why; jobs return to
# the queue by themselves when a node fails.
_FAILED = ("FAILED", "NODE_FAIL", "BOOT_FAIL", "OUT_OF_MEMORY", "REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT")
_STOPPED = ("CANCELLED", "PREEMPTED", "TIMEOUT", "DEADLINE", "REVOKED")
_GOES_ON = ("RUNNING", "COMPLETING", "SUSPENDED", "SIGNALING", "STAGE_OUT")
_STATES = (_DONE, *_FAILED, *_STOPPED, *_GOES_ON)
_STATE, _DELIMITERS = "state", "|;,\t"
_RULE = re.compile(r"^\s*-+(?: +-+)+\s*$")
_CUT = "+"  # the end of a cell that sacct's column is too narrow for: CANCELLED+, OUT_OF_ME+
_NO_TIME = {"", "unknown", "none"}  # what sacct prints for a missing time
_STEP = 2  # the column that may hold a step
_LATEST = 253_402_300_799  # 9999-12-31 in seconds, as far as dates go; milliseconds of today lie beyond
_QUOTED = re.compile("(“[^”]{60})[^”]+”")
_Lines = list[tuple[int, str]]  # those that hold anything, with their numbers in the file


class LogError(ValueError):
    """A log that cannot be read, with its line and what to do; what it quotes is cut."""

    def __init__(self, message: str) -> None:
        super().__init__(_QUOTED.sub(r"\1…”", message))


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


def clock(text: str) -> Clock:
    """Read either kind of log. Raises LogError."""
    try:
        numbered = enumerate(files.plain(text).splitlines(), 1)
    except ValueError as error:
        raise LogError(str(error).capitalize()) from None
    lines = [(number, line) for number, line in numbered if line.strip() and not line.startswith("#")]
    if not lines:
        raise LogError("The log is empty: give time,event lines, or what sacct --parsable2 prints")
    if _RULE.match(lines[1][1] if len(lines) > 1 else ""):
        return _of_slurm(_columns(lines))
    delimiter = next((one for one in _DELIMITERS if _STATE in lines[0][1].lower().split(one)), "|")
    return _of_slurm(_cells(lines, delimiter)) if delimiter in lines[0][1] else _of_events(lines)


def _columns(lines: _Lines) -> Iterator[tuple[int, list[str]]]:
    """The cells of what sacct prints without --parsable2, by the dashes below the names."""
    spans = [match.span() for match in re.finditer("-+", lines[1][1])]
    for number, line in (lines[0], *lines[2:]):
        yield number, [line[start:end].strip() for start, end in spans]


def _cells(lines: _Lines, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line, with its number in the file."""
    rows = csv.reader((line for _, line in lines), delimiter=delimiter)
    try:
        yield from ((lines[rows.line_num - 1][0], row) for row in rows)
    except csv.Error as error:
        raise LogError(f"Line {lines[rows.line_num - 1][0]}: it cannot be taken apart: {error}") from None


class _Times:
    """Times of one log, all written in one way: an hour between a local date and one that tells its offset is none."""

    written = ""

    def seconds(self, text: str, line: int) -> float:
        """One of them [s]."""
        try:
            seconds = float(text)
        except ValueError:
            seconds = nan
        if isfinite(seconds) and abs(seconds) <= _LATEST:
            self._as("in seconds", line)
            return seconds
        try:
            date = datetime.datetime.fromisoformat(text)
        except ValueError:
            message = f"Line {line}: “{text}” is not a time; write seconds, or a date such as 2026-11-22T01:30:00"
            raise LogError(message) from None
        self._as("as a date with its offset from UTC" if date.tzinfo else "as a date without an offset", line)
        return (date if date.tzinfo else date.replace(tzinfo=datetime.UTC)).timestamp()

    def _as(self, written: str, line: int) -> None:
        if self.written not in {"", written}:
            raise LogError(f"Line {line}: this time is written {written}, those above {self.written}: write all alike")
        self.written = written


def _events(lines: _Lines) -> Iterator[tuple[int, float, str, float | None]]:
    rows = _cells(lines, ",")
    heading = [cell.strip().lower() for cell in next(rows)[1]]
    if heading[:2] != ["time", "event"]:
        raise LogError("The first line must be time,event (or what sacct --parsable2 prints)")
    last, times = None, _Times()
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
    """How many steps stay and how fast the fastest went, as events tell."""

    first: float | None = None
    done: float = 0
    trained: float = 0
    fastest: float = 0

    def add(self, step: float | None, trained: float) -> None:
        """That `step` is done after so many seconds of training."""
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


def _of_events(lines: _Lines) -> Clock:
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


@dataclass(frozen=True, order=True)
class _Attempt:
    start: float
    end: float
    submit: float
    state: str
    line: int
    number: str


def _attempt(line: int, row: dict[str, str], times: _Times) -> _Attempt | None:
    """One attempt; None where it never had nodes."""
    if absent := [name for name in _SLURM if name not in row]:
        raise LogError(f"Line {line}: it ends before {absent[0]}; is the file whole?")
    if row["Start"].lower() in _NO_TIME:
        return None  # it was withdrawn before it had nodes, or still waits for them
    if row["End"].lower() in _NO_TIME:
        raise LogError(f"Line {line}: this attempt is still running; leave it out, or write an end time")
    submit, start, end = (times.seconds(row[name], line) for name in ("Submit", "Start", "End"))
    if not submit <= start <= end:
        raise LogError(f"Line {line}: Submit, Start and End must follow each other")
    if not row["State"]:
        raise LogError(f"Line {line}: State is empty; write the attempt's final state, such as {_DONE} or FAILED")
    state = row["State"].split()[0].upper()
    if state.endswith(_CUT):
        state = next((one for one in _STATES if one.startswith(state.removesuffix(_CUT))), state)
    if state not in _STATES:
        raise LogError(
            f"Line {line}: “{state}” is not a state of an attempt that had nodes; use one of {', '.join(_STATES)}"
        )
    return _Attempt(start, end, submit, state, line, _number(row))


def _number(row: Mapping[str, str]) -> str:
    return next((row[name] for name in _NUMBER if row.get(name)), "")


def _overlap(earlier: _Attempt, later: _Attempt) -> str:
    """Reason why two attempts overlap, and what to do."""
    one, other = earlier.number, later.number
    if not other:
        return "this attempt begins while another runs; print JobID as well, to tell steps from attempts"
    if "+" in other and one.partition("+")[0] == other.partition("+")[0]:
        return f"{other} overlaps {one}, a component of the same heterogeneous job: give the lines of one component"
    if "_" in other and one.partition("_")[0] == other.partition("_")[0]:
        return f"{other} overlaps {one}, a task of the same array: give the lines of one task"
    return "this attempt begins while another runs; give the attempts of one job alone"


def _named(heading: list[str], rows: Iterable[tuple[int, list[str]]]) -> Iterator[tuple[int, dict[str, str]]]:
    """The cells of each line under their names."""
    for number, cells in rows:
        if any(cell.strip() for cell in cells[len(heading) :]):
            raise LogError(
                f"Line {number}: it has {len(cells)} cells under {len(heading)} names; is a | in one of them?"
            )
        yield number, dict(zip(heading, map(str.strip, cells), strict=False))


def _of_slurm(cells: Iterable[tuple[int, list[str]]]) -> Clock:
    (_, first), *rows = cells
    known = {name.lower(): name for name in (*_NUMBER, *_SLURM)}
    heading = [known.get(name.strip().lower(), name.strip()) for name in first]
    if missing := [name for name in _SLURM if not rows or name not in heading]:
        command = "sacct --parsable2 --duplicates --format=JobID,State,Submit,Start,End"
        raise LogError(f"The accounting lacks {', '.join(missing)}: print it with {command}")
    times = _Times()
    # What has a point in its number is a step of an attempt, not an attempt.
    found = (_attempt(number, row, times) for number, row in _named(heading, rows) if "." not in _number(row))
    attempts = sorted(filter(None, found))
    if not attempts:
        raise LogError("The accounting holds no attempt of a job that had nodes")
    for earlier, later in itertools.pairwise(attempts):
        if later.start < earlier.end:
            raise LogError(f"Line {later.line}: {_overlap(earlier, later)}")
    running = sum(one.end - one.start for one in attempts)
    elapsed = max(one.end for one in attempts) - attempts[0].start
    states = Counter(one.state for one in attempts)
    return Clock(
        kept=running,
        waiting=max(0.0, elapsed - running),
        queued=attempts[0].start - min(one.submit for one in attempts),
        failures=sum(states[state] for state in _FAILED),
        interruptions=sum(states[state] for state in _STOPPED),
        states={state: states[state] for state in (*_FAILED, *_STOPPED) if states[state]},
        jobs=len({one.number for one in attempts}),
        at_most=True,
    )
