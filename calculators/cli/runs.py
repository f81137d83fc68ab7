"""Files of runs on the command line: what a log says, and how a measured run compares with the model."""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from calculators.answers.runs import measurement, run_check
from calculators.catalog import LOGS
from calculators.cli.options import BAD_INPUT, OptionParser, read_file
from calculators.declare import Calculator, CheckedRun, InputError, RunReader
from calculators.pauses import finished

_Evaluated = Callable[[Mapping[str, str]], Mapping[str, Any]]


def of_log(name: str, given: Sequence[str]) -> int:
    """Print the analysis of the log of a job; return the exit code."""
    parser = OptionParser(prog=f"python -m calculators {name}")
    parser.add_argument("--log", metavar="FILE", required=True)
    parser.add_argument("--json", action="store_true")
    options, others = parser.parse_known_args(given)
    if others:
        sys.stderr.write(f"--log and {others[0]} cannot be combined: --log takes only --json\n")
        return BAD_INPUT
    data_of, report_of = LOGS[name]
    try:
        text = read_file(options.log)
        printed = json.dumps(data_of(text), indent=2, ensure_ascii=False) + "\n" if options.json else report_of(text)
    except ArithmeticError:
        sys.stderr.write(f"{options.log}: a time or count in it is 0 or no finite number: correct it\n")
        return BAD_INPUT
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{options.log}: {error}\n")
        return BAD_INPUT
    sys.stdout.write(printed)
    return 0


def of_measurement(calculator: Calculator, texts: dict[str, str], options: argparse.Namespace) -> int:
    """Print how a measured run compares with the model; return the exit code. Raises InputError."""
    try:
        values, found = measurement.compared(
            calculator, texts, measurement.run_of(calculator, read_file(options.measured))
        )
    except (OSError, LookupError) as error:
        sys.stderr.write(f"{options.measured}: {error}\n")
        return BAD_INPUT
    except InputError:
        raise
    except ValueError as error:
        sys.stderr.write(f"{options.measured}: {error}\n")
        return BAD_INPUT
    if options.json:
        printed = json.dumps(measurement.described(calculator, values, found), indent=2, ensure_ascii=False) + "\n"
    else:
        printed = measurement.report(calculator, values, found)
    sys.stdout.write(printed)
    return 0


def of_checked(calculator: Calculator, texts: dict[str, str], options: argparse.Namespace) -> int:
    """Print a measured run next to the limits of a state; return the exit code. Raises InputError."""
    return _printed(
        calculator.name, options, lambda text: run_check.checked(calculator, texts, run_check.run_of(calculator, text))
    )


def of_system(name: str, reader: RunReader, options: argparse.Namespace, values: _Evaluated) -> int:
    """Print a measured run next to a system: its `values` with the inputs that the run states. Raises InputError."""

    def check(text: str) -> CheckedRun:
        run = finished(reader.read(text))
        return run_check.compared(reader, run, lambda: values(reader.given(run)))

    return _printed(name, options, check)


def _printed(name: str, options: argparse.Namespace, check: Callable[[str], CheckedRun]) -> int:
    try:
        found = check(read_file(options.measured))
    except InputError:
        raise
    except ValueError as error:
        sys.stderr.write(f"{options.measured}: {error}\n")
        return BAD_INPUT
    if options.json:
        sys.stdout.write(json.dumps(run_check.described(name, found), indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(run_check.report(found))
    return 0
