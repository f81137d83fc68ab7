"""Small configurations with what transformers' own classes count in them: tests/configuration/small.json.

`PYTHONPATH=. .cache/transformers/bin/python tooling/transformers/counted.py`, where `make test-transformers` has
made that environment. Each family gets four random ones, and each of those without each of its keys: files are saved
without what is usual. Only what the reader of configurations accepts and transformers can build is written.
"""

import json
import logging
import random
from pathlib import Path
from typing import Any

from calculators import configuration
from tooling.transformers.with_transformers import CHOICES, built, drawn

SMALL = Path(__file__).parents[2] / "tests" / "configuration" / "small.json"
_EACH = 4
WINDOWS = frozenset({"sliding_attention", "chunked_attention"})
COMPRESSED = frozenset({"compressed_sparse_attention", "heavily_compressed_attention"})  # they have windows, too


def _count(given: dict[str, Any]) -> list[int | None] | None:
    """Parameters, and layers with a window of how many tokens; nothing where either does not take the configuration."""
    try:
        configuration.of_table(given)
        model, parameters = built(given)
    except Exception:  # noqa: BLE001  whatever its classes raise for a configuration they cannot build
        return None
    kinds = getattr(model.config, "layer_types", None)  # families whose layers are all alike have none
    if not kinds or set(kinds) & COMPRESSED:
        return [parameters, None, None]
    windows = sum(kind in WINDOWS for kind in kinds)
    width = "attention_chunk_size" if "chunked_attention" in kinds else "sliding_window"
    return [parameters, windows, getattr(model.config, width) if windows else None]


def _written(given: dict[str, Any]) -> dict[str, Any]:
    less = {name: {key: given[key] for key in given if key != name} for name in given if name != "model_type"}
    counts = {name: _count(those) for name, those in {"": given, **less}.items()}
    return {"config": given, "without": {name: count for name, count in counts.items() if count is not None}}


def main() -> None:
    """Count all and write them, one line each."""
    logging.disable(logging.ERROR)
    names = [f"{family} {number}" for family in CHOICES for number in range(_EACH)]
    lines = [json.dumps(_written(drawn(name.partition(" ")[0], random.Random(name)))) for name in names]  # noqa: S311
    SMALL.write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")


if __name__ == "__main__":
    main()
