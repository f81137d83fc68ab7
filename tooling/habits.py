"""Words and phrases that the guide avoids, counted by page: `python -m tooling.habits` prints the worst pages.

`make check` runs it: the total must stay at or below CEILING, which only falls.
"""

import re
import sys
from collections import Counter
from pathlib import Path

CEILING = 0
CONTENT = Path(__file__).parent.parent / "content"
_SHOWN = 12
_NOT_PROSE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|`[^`]*`|\]\([^)]*\)|\{[ #:][^}]*\}", re.DOTALL)
HABITS = {
    "calques": r"beside|anew|reckon\w*|seldom|mend\w*|dearest|dearer|in place of|for ever|stands?|stood",
    "machines that wish": r"(?<=it )asks for|eats?|brings?|brought|wants?|wanted|is told|are told",
    "no role": r"somebody|nobody|whoever|everybody|no one",
    "fractions in words": r"a tenth|tenths|a fifth|fifths|thirds|three quarters|hundredths?|thousandths?",
    "other nouns": (
        r"(?:the|a|each|every) saves?|near saves?|near cop(?:y|ies)|the store|the store's|behind the training's back"
    ),
    "save as a noun": (
        r"(?:hourly|full|whole|same|own|frequent|newest|\d+B|five|six|make|and|of) saves?"
        r"(?= [a-z]+ed\b| (?:are|come|cost|queue|takes?|asynchronous|of|off|left)\b|[,.;:]| \|)"
        r"|saves (?:are|come|queue|cost|reached)"
    ),
    "space before a percent sign": r"\d+(?= %)",
    "old words": r"h[eo]ld against|oftener|dear|at leisure|anybody|equal is",
}


def habits(text: str) -> Counter[str]:
    """Number of matches by kind in a page's prose; templates, code and addresses left out.

    >>> dict(habits("Somebody stands beside a `store` that {{ eats }}."))
    {'calques': 2, 'no role': 1}
    """
    prose = _NOT_PROSE.sub("~", text)
    counts = {kind: len(re.findall(rf"\b(?:{words})\b", prose, re.IGNORECASE)) for kind, words in HABITS.items()}
    return Counter({kind: count for kind, count in counts.items() if count})


def main() -> int:
    """Print the pages with the most matches; 1 if there are more than the ceiling allows."""
    found = {path: habits(path.read_text("utf-8")) for path in sorted(CONTENT.rglob("*.md"))}
    total = sum(count.total() for count in found.values())
    for path, count in sorted(found.items(), key=lambda one: -one[1].total())[:_SHOWN]:
        if count:
            print(f"{count.total():4d}  {path.relative_to(CONTENT)}  {dict(count)}")
    print(f"{total} of at most {CEILING}")
    return int(total > CEILING)


if __name__ == "__main__":
    sys.exit(main())
