"""Slurm's accounting, as sacct prints it: the attempts of jobs that had nodes."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import inf, nan

from calculators.subjects.storage.goodput.log_text import Lines, LogError, Times, cells

_SUBMIT = "Submit"
_SLURM = ("State", _SUBMIT, "Start", "End")
_NUMBER = ("JobID", "JobIDRaw")
_NODES, _TRES = ("AllocNodes", "NNodes"), "AllocTRES"
_GPUS, _TRES_NODES = re.compile(r"\bgres/gpu=(\d+)"), re.compile(r"\bnode=(\d+)")
_GPUS_OF_A_TYPE = re.compile(r"\bgres/gpu:[^=,]+=(\d+)")  # alone where the cluster does not account for all of them
_DONE = "COMPLETED"
# What became of an attempt, by https://slurm.schedmd.com/job_state_codes.html. REQUEUED leaves open why; jobs return to
# the queue by themselves when a node fails.
FAILED = ("FAILED", "NODE_FAIL", "BOOT_FAIL", "OUT_OF_MEMORY", "REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT")
STOPPED = ("CANCELLED", "PREEMPTED", "TIMEOUT", "DEADLINE", "REVOKED")
_GOES_ON = ("RUNNING", "COMPLETING", "SUSPENDED", "SIGNALING", "STAGE_OUT")
_STATES = (_DONE, *FAILED, *STOPPED, *_GOES_ON)
_STATE, _DELIMITERS = "state", "|;,\t"
_RULE = re.compile(r"^\s*-+(?: +-+)+\s*$")
_CUT = "+"  # the end of a cell that sacct's column is too narrow for: CANCELLED+, OUT_OF_ME+
_NO_TIME = {"", "unknown", "none"}  # what sacct prints for a missing time


@dataclass(frozen=True, order=True)
class Attempt:
    """An attempt of a job that had nodes, in the order of starts: times [s], final state, job number, nodes and GPUs.

    `nodes` and `gpus` are 0, `submit` is not a number where the accounting does not state them; `end` is infinite for
    an attempt that is still running.
    """

    start: float
    end: float
    submit: float
    state: str
    line: int
    number: str
    nodes: int = 0
    gpus: int = 0

    @property
    def run(self) -> float:
        """Time with nodes allocated [s]."""
        return self.end - self.start


def attempts(lines: Lines) -> list[Attempt] | None:
    """Attempts in the order of their starts; None for a list of events. Raises LogError."""
    if _RULE.match(lines[1][1] if len(lines) > 1 else ""):
        return _attempts(_columns(lines))
    delimiter = next((one for one in _DELIMITERS if _STATE in lines[0][1].lower().split(one)), "|")
    return _attempts(cells(lines, delimiter)) if delimiter in lines[0][1] else None


def _columns(lines: Lines) -> Iterator[tuple[int, list[str]]]:
    """The cells of what sacct prints without --parsable2, by the dashes below the names."""
    spans = [match.span() for match in re.finditer("-+", lines[1][1])]
    for number, line in (lines[0], *lines[2:]):
        yield number, [line[start:end].strip() for start, end in spans]


def _attempt(line: int, row: dict[str, str], times: Times) -> Attempt | None:
    """One attempt; None where it never had nodes."""
    if row["Start"].lower() in _NO_TIME:
        return None  # it was withdrawn before it had nodes, or still waits for them
    submit = times.seconds(row[_SUBMIT], line) if _SUBMIT in row else nan
    start = times.seconds(row["Start"], line)
    end = inf if row["End"].lower() in _NO_TIME else times.seconds(row["End"], line)
    if start > end or submit > start:
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
    nodes = next((int(row[name]) for name in _NODES if row.get(name, "").isdigit()), 0)
    if not nodes and any(row.get(name) == "0" for name in _NODES):
        return None  # an allocation of nothing
    resources = row.get(_TRES, "")
    gpus = _counted(_GPUS, resources) or sum(map(int, _GPUS_OF_A_TYPE.findall(resources)))
    return Attempt(start, end, submit, state, line, _number(row), nodes or _counted(_TRES_NODES, resources), gpus)


def _counted(resource: re.Pattern[str], resources: str) -> int:
    found = resource.search(resources)
    return int(found[1]) if found else 0


def _number(row: Mapping[str, str]) -> str:
    return next((row[name] for name in _NUMBER if row.get(name)), "")


def overlap(earlier: Attempt, later: Attempt) -> str:
    """Reason why two attempts overlap, and what to do."""
    one, other = earlier.number, later.number
    if not other:
        return "this attempt begins while another runs; print JobID as well, to tell steps from attempts"
    if "+" in other and one.partition("+")[0] == other.partition("+")[0]:
        return f"{other} overlaps {one}, a component of the same heterogeneous job: give the lines of one component"
    if "_" in other and one.partition("_")[0] == other.partition("_")[0]:
        return f"{other} overlaps {one}, a task of the same array: give the lines of one task"
    return (
        "this attempt begins while another runs; give the attempts of one job alone, or of a whole cluster with nodes "
        "(--format=JobID,State,Submit,Start,End,NNodes,AllocTRES)"
    )


def _named(heading: list[str], rows: Iterable[tuple[int, list[str]]]) -> Iterator[tuple[int, dict[str, str]]]:
    """The cells of each line under their names."""
    for number, row in rows:
        if len(row) != len(heading):
            _check_cells(number, heading, row)
        yield number, dict(zip(heading, map(str.strip, row), strict=False))


def _check_cells(number: int, heading: list[str], row: list[str]) -> None:
    """Raise LogError for a line with a cell too many or too few; an empty one at its end is neither."""
    if any(cell.strip() for cell in row[len(heading) :]):
        raise LogError(f"Line {number}: it has {len(row)} cells under {len(heading)} names; is a | in one of them?")
    absent = heading[len(row) :]
    if needed := next((name for name in _SLURM if name in absent), ""):
        raise LogError(f"Line {number}: it ends before {needed}; is the file whole?")
    if any(absent):
        raise LogError(f"Line {number}: it has {len(row)} cells under {len(heading)} names; give what sacct printed")


def _attempts(table: Iterable[tuple[int, list[str]]]) -> list[Attempt]:
    (top, first), *rows = table
    known = {name.lower(): name for name in (*_NUMBER, *_SLURM, *_NODES, _TRES)}
    heading = [known.get(name.strip().lower(), name.strip()) for name in first]
    if not {*heading} & {*known.values()}:
        raise LogError(
            f"Line {top} has no column names (JobID, State, Start, End): print the accounting without --noheader (-n)"
        )
    missing = [name for name in _SLURM if not rows or name not in heading]
    if missing not in ([], [_SUBMIT]):
        command = "sacct --parsable2 --duplicates --format=JobID,State,Submit,Start,End"
        raise LogError(f"The accounting lacks {', '.join(missing)}: print it with {command}")
    times = Times()
    # What has a point in its number is a step of an attempt, not an attempt.
    found = (_attempt(number, row, times) for number, row in _named(heading, rows) if "." not in _number(row))
    if not (had_nodes := sorted(filter(None, found))):
        raise LogError("The accounting holds no attempt of a job that had nodes")
    return had_nodes
