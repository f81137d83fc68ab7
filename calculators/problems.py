"""Problems of inputs and files: a sentence for each of the first names, and how many more there are."""

from collections.abc import Callable, Collection
from itertools import islice

MOST_LISTED = 20


def listed(names: Collection[str], sentence: Callable[[str], str]) -> dict[str, str]:
    """A sentence for each of the first names, and one for all others.

    >>> listed("abc", "no {}".format)
    {'a': 'no a', 'b': 'no b', 'c': 'no c'}
    """
    found = {name: sentence(name) for name in islice(names, MOST_LISTED)}
    more = len(names) - MOST_LISTED
    return {**found, "more": f"and {more:,} more of this kind"} if more > 0 else found
