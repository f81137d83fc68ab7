"""Families: the records of a long menu by the first word of their names, such as Qwen or AMD."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from calculators.facts import Record

_MANY = 20  # shorter menus are read at a glance
_OTHERS = "Others"


def families(records: Sequence[Record]) -> Mapping[str, Sequence[Record]]:
    """Records by family, families by name, those of one record last; a short menu is one family without a name."""
    if len(records) < _MANY:
        return {"": records}
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(_family(record.name), []).append(record)
    large = {name: found[name] for name in sorted(found, key=str.lower) if len(found[name]) > 1}
    single = [record for name in found if name not in large for record in found[name]]
    return large | ({_OTHERS: single} if single else {})


def _family(name: str) -> str:
    """First word of a name, without its version: Qwen of "Qwen3-VL 4B", gpt-oss of "gpt-oss-20b".

    >>> _family("DeepSeek-V3.2"), _family("Qwen2.5 72B"), _family("gpt-oss-20b"), _family("NVIDIA L4 24 GB")
    ('DeepSeek', 'Qwen', 'gpt-oss', 'NVIDIA')
    """
    return re.split(r"[\d ]|-(?=[A-Z\d])", name, maxsplit=1)[0]
