"""Several sites in one process: `python -m tooling.sites FOLDER ADDRESS [FOLDER ADDRESS ...]`, "" for no address.

Most of a site is the same wherever it will be, so that each after the first takes a small part of its time.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from builder import pipeline
from builder.cache import Cache
from builder.paths import ROOT


def main() -> None:
    """Build every site that the command line names."""
    os.environ["PATH"] = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"  # Node may be there
    cache = Cache()
    for folder, address in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
        pipeline.build(Path(folder).resolve(), address or None, cache=cache)


if __name__ == "__main__":
    main()
