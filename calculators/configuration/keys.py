"""Keys of a configuration: each is asked for by name, and what nobody asked for is found in the end."""

from collections.abc import Iterable, Mapping
from typing import Any

from calculators.configuration.inert import WITHOUT_EFFECT, is_of_an_encoder

_LARGEST = 10**9
_MOST_SHOWN = 60
_ABSENT = object()


class Keys:
    """The keys of one configuration; remembers what was asked for and what was wrong with it.

    A key that is missing or wrong gives a stand-in, so that all problems are found in one reading; what was read is
    worth nothing where there are any. Where a model is not `alone`, keys of its encoders may stand among its own.
    """

    def __init__(self, given: Mapping[str, Any], around: Mapping[str, Any], *, alone: bool = True) -> None:
        self._given = given
        self._around = around
        self._alone = alone
        self._asked: set[str] = {"model_type"}
        self._inner: dict[str, Keys] = {}
        self.problems: dict[str, str] = {}

    def _first(self, names: Iterable[str]) -> tuple[str, Any]:
        """The first of these names that is there and says something, with what it says."""
        found: tuple[str, Any] = ("", _ABSENT)
        for name in names:
            self._asked.add(name)
            if found[1] is _ABSENT and self._given.get(name) is not None:
                found = (name, self._given[name])
        return found

    def wrong(self, name: str, sentence: str) -> None:
        """Note that something about a key cannot be."""
        self.problems.setdefault(name, sentence)

    def maybe(self, *names: str, least: int = 0) -> int | None:
        """A whole number under the first of these names that is there; nothing where none is, or it is null."""
        name, value = self._first(names)
        if value is _ABSENT:
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= _LARGEST:
            self.wrong(name, f"{name} must be a whole number from {least} on, not {shown(value)}")
            return max(1, least)
        return value

    def count(self, *names: str, otherwise: int | None = None, least: int = 1) -> int:
        """A whole number that must be there unless the family has one of its own."""
        found = self.maybe(*names, least=least)
        if found is not None:
            return found
        if otherwise is None:
            self.wrong(names[0], f"{names[0]} is missing")
            return max(1, least)
        return otherwise

    def unless_null(self, *names: str, otherwise: int | None, least: int = 0) -> int | None:
        """A whole number; nothing where it is null, and what the family has where there is no such key."""
        found = self.maybe(*names, least=least)
        return found if found is not None or any(name in self for name in names) else otherwise

    def flag(self, *names: str, otherwise: bool = False) -> bool:
        """Yes or no under the first of these names, else what the family has."""
        name, value = self._first(names)
        if value is _ABSENT:
            return otherwise
        if not isinstance(value, bool):
            self.wrong(name, f"{name} must be true or false, not {shown(value)}")
            return otherwise
        return value

    def __contains__(self, name: str) -> bool:
        """Whether a key is there, be it null."""
        return name in self._given

    def peek(self, name: str) -> object:
        """What a key holds, without asking for it."""
        return self._given.get(name)

    def always(self, name: str, *, usual: bool = True) -> None:
        """A switch that the family has in one position only; in the other it is another model."""
        if self.flag(name, otherwise=usual) != usual:
            self.wrong(name, f"{name} = {str(not usual).lower()} is not known of this family")

    def given(self, *names: str) -> bool:
        """Whether one of these names is there and says something."""
        return self._first(names)[1] is not _ABSENT

    def text(self, *names: str) -> str:
        """The text under the first of these names; none where there is none."""
        name, value = self._first(names)
        if value is _ABSENT:
            return ""
        if not isinstance(value, str):
            self.wrong(name, f"{name} must be text, not {shown(value)}")
            return ""
        return value

    def words(self, name: str, meanings: Mapping[str, str], length: int | None) -> list[str] | None:
        """A word for every layer, as what it means; nothing where there is no such list."""
        value = self._first([name])[1]
        stand_in = next(iter(meanings.values()))
        if value is _ABSENT:
            return None
        if not isinstance(value, list) or (length is not None and len(value) != length):
            self.wrong(name, f"{name} must name one kind for each layer")
            return [stand_in] * (length or 1)  # refused later
        unknown = [one for one in value if not isinstance(one, str) or one not in meanings]
        if unknown:
            self.wrong(name, f"{name} has {shown(unknown[0])}, which is not known of this family")
            return [stand_in] * len(value)
        return [meanings[one] for one in value]

    def numbers(self, name: str, length: int | None = None) -> list[int] | None:
        """A list of whole numbers, one for every layer where there is a `length`; nothing where there is no list."""
        value = self._first([name])[1]
        if value is _ABSENT:
            return None
        if not isinstance(value, list) or any(isinstance(one, bool) or not isinstance(one, int) for one in value):
            self.wrong(name, f"{name} must be a list of whole numbers, not {shown(value)}")
            return [1] * (length or 0)
        if length is not None and len(value) != length:
            self.wrong(name, f"{name} must name one kind for each layer")
            return [1] * length
        return value

    def table(self, name: str) -> Mapping[str, Any]:
        """A table of further keys; an empty one where there is none."""
        value = self._first([name])[1]
        return value if isinstance(value, dict) else {}

    def inside(self, name: str) -> "Keys":
        """The keys of a table among these, read like these; none where there is no such table."""
        value = self._first([name])[1]
        if value is not _ABSENT and not isinstance(value, dict):
            self.wrong(name, f"{name} must hold further keys, not {shown(value)}")
        keys = Keys(value if isinstance(value, dict) else {}, {})
        return self._inner.setdefault(name, keys)

    def all_problems(self) -> dict[str, str]:
        """Everything that is wrong, keys that nobody asked for included; those of a table inside with its name."""
        found = {**self.problems, **self.left_over()}
        for name, keys in self._inner.items():
            found |= {f"{name}.{key}": f"{name}: {told}" for key, told in keys.all_problems().items()}
        return found

    def tied(self, *, otherwise: bool) -> bool:
        """Whether the output layer is the embedding table: as this configuration says, else the one around it."""
        outer = self._around.get("tie_word_embeddings")
        usual = outer if isinstance(outer, bool) else otherwise
        return self.flag("tie_word_embeddings", otherwise=usual)

    def asked(self) -> int:
        """How many of the keys that are there were asked for."""
        return len(self._asked & self._given.keys())

    def idle(self) -> int:
        """How many of the keys that are there are known to change no shape."""
        return sum(1 for name in self._given if name not in self._asked)

    def left_over(self) -> dict[str, str]:
        """A sentence for each key that nobody asked for and that may say something of a shape."""
        inside = {
            name: value
            for name, value in self._given.items()
            if name not in self._asked and (self._alone or not is_of_an_encoder(name))
        }
        around = {
            name: value
            for name, value in self._around.items()
            if not is_of_an_encoder(name) and not (name in self._given and self._given[name] == value)
        }
        return {
            name: f"{name} = {shown(value)} is not understood"
            for name, value in {**around, **inside}.items()
            if name not in WITHOUT_EFFECT and _says_something(name, value)
        }


def _says_something(name: str, value: object) -> bool:
    """Whether a value may change a shape: a number, yes, or anything that holds more. What is used 0 times is not."""
    if isinstance(value, bool) or name.startswith("use_"):
        return bool(value)
    return isinstance(value, int | float) or (isinstance(value, list | dict) and bool(value))


def shown(value: object) -> str:
    """A value as a sentence shows it."""
    text = repr(value) if not isinstance(value, str) else f"“{value}”"
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "…"
