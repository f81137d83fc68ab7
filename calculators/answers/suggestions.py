"""Similar: which results somebody may have meant by a name that none has."""

from collections.abc import Sequence

from calculators.declare import Calculator

_MOST = 6


def suggestion(calculator: Calculator, asked: str, names: Sequence[str]) -> str:
    """Of these names those that share a word with the one asked for, or else the first that readers come for."""
    words = set(asked.replace("-", "_").split("_"))
    main = [*(name for name in calculator.headline if name in names), *names]
    shared = {name: len(words & set(name.split("_"))) for name in main}
    alike = sorted(filter(shared.__getitem__, shared), key=lambda name: -shared[name])[:_MOST]
    if alike:
        return f"did you mean {' or '.join(alike)}?"
    first = list(dict.fromkeys(main))[:_MOST]
    more = len(names) - len(first)
    return f"there are {', '.join(first)}" + (f", and {more} more that --json lists" if more > 0 else "")
