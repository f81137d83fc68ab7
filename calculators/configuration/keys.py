"""Keys of a configuration: families read them by name; keys left unread are reported."""

from collections.abc import Iterable, Mapping
from typing import Any

from calculators.configuration.ignored_keys import WITHOUT_EFFECT, is_of_an_encoder
from calculators.files import shown

_LARGEST = 10**9
_ABSENT = object()


class Keys:
    """Keys of one configuration, with a record of those read and those found wrong.

    A missing or wrong key reads as a placeholder, so that one pass finds all problems; the result is
    invalid where there are any. Where a model is not `alone`, its encoders' keys may be among its own.
    """

    def __init__(self, given: Mapping[str, Any], around: Mapping[str, Any], *, alone: bool = True) -> None:
        self._given = given
        self._around = around
        self._alone = alone
        self._asked: set[str] = {"model_type"}
        self._inner: dict[str, Keys] = {}
        self.problems: dict[str, str] = {}

    def _first(self, names: Iterable[str]) -> tuple[str, Any]:
        """First of these names with a value other than null, and that value."""
        found: tuple[str, Any] = ("", _ABSENT)
        for name in names:
            self._asked.add(name)
            if found[1] is _ABSENT and self._given.get(name) is not None:
                found = (name, self._given[name])
        return found

    def wrong(self, name: str, sentence: str) -> None:
        """Record a problem with a key."""
        self.problems.setdefault(name, sentence)

    def maybe(self, *names: str, least: int = 0) -> int | None:
        """Whole number under the first of these names that is present; None where none is, or it is null."""
        name, value = self._first(names)
        if value is _ABSENT:
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= _LARGEST:
            self.wrong(name, f"{name} must be a whole number from {least} on, not {shown(value)}")
            return max(1, least)
        return value

    def count(self, *names: str, default: int | None = None, least: int = 1) -> int:
        """Whole number, required unless the family has a default."""
        found = self.maybe(*names, least=least)
        if found is not None:
            return found
        if default is None:
            self.wrong(names[0], f"{names[0]} is missing")
            return max(1, least)
        return default

    def unless_null(self, *names: str, default: int | None, least: int = 0) -> int | None:
        """Whole number; None where it is null, the family's default where the key is missing."""
        found = self.maybe(*names, least=least)
        return found if found is not None or any(name in self for name in names) else default

    def flag(self, *names: str, default: bool = False) -> bool:
        """Boolean under the first of these names, else the default."""
        name, value = self._first(names)
        if value is _ABSENT:
            return default
        if not isinstance(value, bool):
            self.wrong(name, f"{name} must be true or false, not {shown(value)}")
            return default
        return value

    def __contains__(self, name: str) -> bool:
        """Whether a key is present, even if null."""
        return name in self._given

    def peek(self, name: str) -> object:
        """Value of a key, without marking it as read."""
        return self._given.get(name)

    def always(self, name: str, *, usual: bool = True) -> None:
        """Refuse a switch in the position that the family does not have."""
        if self.flag(name, default=usual) != usual:
            self.wrong(name, f"{name} = {str(not usual).lower()} is not known of this family")

    def given(self, *names: str) -> bool:
        """Whether one of these names is present and not null."""
        return self._first(names)[1] is not _ABSENT

    def text(self, *names: str) -> str:
        """Text under the first of these names; empty without one."""
        name, value = self._first(names)
        if value is _ABSENT:
            return ""
        if not isinstance(value, str):
            self.wrong(name, f"{name} must be text, not {shown(value)}")
            return ""
        return value

    def words(self, name: str, meanings: Mapping[str, str], length: int | None) -> list[str] | None:
        """Meaning of each layer's word in a list; None without such a list."""
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
        """List of whole numbers, of this `length` if one is given; None without such a list."""
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
        """Nested object; empty without one."""
        value = self._first([name])[1]
        return value if isinstance(value, dict) else {}

    def nested(self, name: str) -> "Keys":
        """Keys of a nested object, checked like these; none without such an object."""
        value = self._first([name])[1]
        if value is not _ABSENT and not isinstance(value, dict):
            self.wrong(name, f"{name} must hold further keys, not {shown(value)}")
        keys = Keys(value if isinstance(value, dict) else {}, {})
        return self._inner.setdefault(name, keys)

    def all_problems(self) -> dict[str, str]:
        """All problems by key, unread keys included; those of a nested object with its name."""
        found = {**self.problems, **self.left_over()}
        for name, keys in self._inner.items():
            found |= {f"{name}.{key}": f"{name}: {problem}" for key, problem in keys.all_problems().items()}
        return found

    def tied(self, *, default: bool) -> bool:
        """Whether the output layer is the embedding table: by this configuration, else by the enclosing one."""
        outer = self._around.get("tie_word_embeddings")
        usual = outer if isinstance(outer, bool) else default
        return self.flag("tie_word_embeddings", default=usual)

    def read_count(self) -> int:
        """Number of keys present that were read."""
        return len(self._asked & self._given.keys())

    def idle(self) -> int:
        """Number of keys present that are known to change no shape."""
        return sum(1 for name in self._given if name not in self._asked)

    def left_over(self) -> dict[str, str]:
        """Sentence for each unread key that may change a shape."""
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
            name: f"{name} = {shown(value)} is not understood: take it out if it changes no dimension"
            for name, value in {**around, **inside}.items()
            if name not in WITHOUT_EFFECT and _may_change_a_shape(name, value)
        }


def _may_change_a_shape(name: str, value: object) -> bool:
    """Whether a value may change a shape: a number, true, or a nonempty list or object; `use_…: 0` cannot."""
    if isinstance(value, bool) or name.startswith("use_"):
        return bool(value)
    return isinstance(value, int | float) or (isinstance(value, list | dict) and bool(value))
