"""`make soak MINUTES=10 SEED=7`: states by chance for so long; every breach is printed, and is the exit code."""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import time

from tests.soak.states import NAMES, Soak

_SHOWN = 40


def main() -> int:
    """Look at states until the time is over; 1 where something does not hold."""
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("names", nargs="*", default=NAMES)
    options = parser.parse_args()
    soak = Soak(random.Random(options.seed))  # noqa: S311  states, not secrets
    until = time.monotonic() + 60 * options.minutes
    for name in itertools.cycle(options.names):
        soak.look(name)
        if time.monotonic() > until:
            break
    sys.stdout.write("".join(f"{breach}\n" for breach in soak.breaches[:_SHOWN]))
    counts = f"{soak.looked_at:,} states, {soak.answered:,} answered, {len(soak.breaches):,} breaches"
    sys.stdout.write(f"seed {options.seed}: {counts}\n")
    return bool(soak.breaches)


if __name__ == "__main__":
    sys.exit(main())
