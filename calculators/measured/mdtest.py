"""Text of mdtest 1.9, 3 and 4: operations per second on files and directories.

Rows as mdtest.c prints them (hpc/ior at 5fcf0ba): "SUMMARY rate" (1.9: "SUMMARY"), of each operation Max, Min, Mean
and Std Dev.
"""

import re

from calculators.measured.record import ReadError, StorageRun, count, line_of, number

_LAUNCHED = re.compile(r"^[ \t]*mdtest-(\S+) was launched with (\d+) total task\(s\) on (\d+) node", re.MULTILINE)
_SUMMARY = re.compile(r"^[ \t]*SUMMARY(?: rate(?: \(in ops/sec\))?)?: \(of \d+ iterations\)", re.MULTILINE)
_ROW = re.compile(r"^\s*((?:File|Directory) (?:creation|stat|read|removal|rename))\s*:?((?:\s+\S+)*)\s*$")
_COLUMNS = (4, 7)  # 7 with the statistics per rank
_AFTER = 16  # lines of a summary: head, rule and operations
_OWN_DIRECTORY = re.compile(r"""[\s'"]-u\b""")
_COMMAND = re.compile(r"^[ \t]*Command line used: (.*)$", re.MULTILINE)
_MEAN, _SPREAD = -2, -1


def recognizes(text: str) -> bool:
    """Whether a text is an output of mdtest."""
    return bool(_LAUNCHED.search(text) or _SUMMARY.search(text))


def runs(text: str) -> list[StorageRun]:
    """Every operation that ran: its mean rate over the iterations. Raises ReadError."""
    summaries = list(_SUMMARY.finditer(text))
    launched = _LAUNCHED.search(text)
    if not summaries:
        last = len(text.splitlines())
        message = f"line {last}: mdtest ended before its “SUMMARY rate”: give the whole output of a finished run"
        raise ReadError(message)
    if launched is None:
        message = "there is no line “mdtest-… was launched with … task(s) on … node(s)”: give the whole output"
        raise ReadError(message)
    if len(summaries) > 1:
        message = f"line {line_of(text, summaries[1].start())}: a second summary: give one run of mdtest per file"
        raise ReadError(message)
    command = _COMMAND.search(text)
    where = f"line {line_of(text, launched.start())}"
    nodes, tasks = count(where, "nodes", launched[3]), count(where, "tasks", launched[2])
    first = line_of(text, summaries[0].start())
    found = []
    for place, line in enumerate(text.splitlines()[first : first + _AFTER], first + 1):
        if line.lstrip().startswith("SUMMARY"):
            break
        if not (row := _ROW.match(line)):
            continue
        cells = row[2].split()
        if len(cells) not in _COLUMNS:
            message = f"line {place}: “{row[1]}” has {len(cells)} of 4 columns: copy the whole output"
            raise ReadError(message)
        rate = number(f"line {place}", row[1], cells[_MEAN])
        if rate:
            found.append(
                StorageRun(
                    tool="mdtest",
                    name=row[1],
                    kind="metadata",
                    nodes=nodes,
                    rate=rate,
                    jobs=tasks / nodes,
                    is_shared_file=command is not None and not _OWN_DIRECTORY.search(command[1]),
                )
            )
    if not found:
        message = f"line {first}: no operation on files has a rate: run mdtest with -F and without phase options"
        raise ReadError(message)
    return found
