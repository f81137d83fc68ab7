"""Template cache: compiled Jinja templates that one build leaves to the next in the same process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jinja2

if TYPE_CHECKING:
    from jinja2.bccache import Bucket

    from builder.cache import Cache


class TemplateCache(jinja2.BytecodeCache):
    """Compiled templates, each under its source; `options` names the environment they were compiled for."""

    def __init__(self, cache: Cache, options: str) -> None:
        self._cache = cache
        self._options = options

    def load_bytecode(self, bucket: Bucket) -> None:
        """Put a template's code into the bucket if it is known."""
        bucket.code = self._cache.find(self._key(bucket))
        self.dump_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store the code that is in the bucket."""
        self._cache.store(self._key(bucket), bucket.code)

    def _key(self, bucket: Bucket) -> tuple[str, ...]:
        return ("template", self._options, bucket.key, bucket.checksum)
