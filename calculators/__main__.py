"""The command line: `python -m calculators` lists the calculators, `python -m calculators NAME --help` their inputs."""

from calculators.cli.main import console, main

__all__ = ["console", "main"]

if __name__ == "__main__":
    console()
