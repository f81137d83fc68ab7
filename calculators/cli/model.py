"""A model's config.json on the command line: the dimensions of the model."""

import json
import sys
from collections.abc import Sequence

from calculators import configuration
from calculators.answers import config_file
from calculators.cli.options import BAD_INPUT, OptionParser, read_file
from calculators.configuration import report
from calculators.declare import Calculator, InputError

COMMAND = "model"


def of_configuration(calculator: Calculator, file: str) -> dict[str, str]:
    """The inputs that a model's own configuration gives. Raises InputError with all that it does not understand."""
    try:
        return config_file.given(calculator, read_file(file))
    except configuration.ConfigurationError as error:
        raise InputError({problem: f"{file}: {problem}" for problem in error.problems}) from None
    except ValueError as error:
        raise InputError({"config": f"{file}: {error}"}) from None


def main(arguments: Sequence[str]) -> int:
    """Print the dimensions of a model from its configuration; return the exit code."""
    parser = OptionParser(
        prog=f"python -m calculators {COMMAND}",
        description="The dimensions of a model, read from its config.json",
    )
    parser.add_argument("--config", metavar="FILE", required=True, help="a model's config.json")
    parser.add_argument("--json", action="store_true", help="as JSON")
    options = parser.parse_args(arguments)
    try:
        found = configuration.read(read_file(options.config))
    except configuration.ConfigurationError as error:
        sys.stderr.writelines(f"{options.config}: {problem}\n" for problem in error.problems)
        return BAD_INPUT
    except ValueError as error:
        sys.stderr.write(f"{options.config}: {error}\n")
        return BAD_INPUT
    if options.json:
        sys.stdout.write(json.dumps(report.to_dict(found), indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(report.report(found))
    return 0
