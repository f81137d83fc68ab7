"""A model's own configuration (config.json): counted to the parameter, or refused with every key not understood.

It is read by its `model_type`, in the family's way; defaults of missing keys are those of transformers' own classes.
Nothing is estimated: an unread key that may change a shape is a problem, and so is an unknown family.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calculators import files
from calculators.configuration.families import FAMILIES
from calculators.configuration.keys import Keys
from calculators.configuration.quantization import Quantization, read_quantization
from calculators.configuration.stack import Stack
from calculators.files import shown
from calculators.problems import listed

LONGEST = 20_000_000
_LONGEST_NUMBER = 400  # digits: more than any number of a double
_INNER = ("text_config", "llm_config", "language_config")
_ENCODERS = {
    "vision_config": "the vision encoder",
    "audio_config": "the audio encoder",
    "speech_config": "the audio encoder",
}
_MTP_KEYS = (
    *("num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules", "num_mtp_layers", "n_predict"),
    *(
        "mtp_transformer_layers",
        "use_mtp",
        "mtp_use_dedicated_embeddings",
        "mtp_layers_block_type",
        "mtp_hybrid_override_pattern",
    ),
)


class ConfigurationError(ValueError):
    """A configuration that was not understood; `problems` holds a sentence for each key."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """A configuration once read: family, stack, number of keys used and ignored, modules not counted.

    `quantization`: bytes per weight by part of the quantization it names; None without one.
    """

    family: str
    stack: Stack
    used: int
    idle: int
    not_counted: tuple[str, ...] = ()
    quantization: Quantization | None = None


def read(text: str) -> Configuration:
    """The model of a config.json. Raises ConfigurationError with every problem."""
    return of_table(_parsed(text))


def of_table(given: Mapping[str, Any]) -> Configuration:
    """The model of a configuration already parsed. Raises ConfigurationError with every problem."""
    name = next((one for one in _INNER if isinstance(given.get(one), dict)), None)
    inside = given[name] if name else given
    around = {key: value for key, value in given.items() if key not in {name, "model_type"}} if name else {}
    family = inside.get("model_type", given.get("model_type"))
    if not isinstance(family, str) or family not in FAMILIES:
        raise ConfigurationError([_unknown(family)])
    encoders = [what for key, what in _ENCODERS.items() if given.get(key)]
    keys = Keys(inside, around, alone=not encoders)
    multi_token = [one for one in _MTP_KEYS if keys.given(one) and inside[one]]
    stack = FAMILIES[family](keys)
    problems = keys.all_problems()
    if problems:
        raise ConfigurationError(list(listed(problems, problems.__getitem__).values()))
    return Configuration(
        family=family,
        stack=stack,
        used=keys.read_count(),
        idle=keys.idle(),
        not_counted=(*dict.fromkeys(encoders), *(["multi-token prediction layers"] if multi_token else [])),
        quantization=read_quantization(inside, given, stack, family),
    )


def _unknown(family: object) -> str:
    if family is None:
        return "model_type is missing: this is not the config.json of a known model"
    return f"model_type {shown(family)} is not known; known are {', '.join(sorted(FAMILIES))}"


def _whole(digits: str) -> int:
    if len(digits) > _LONGEST_NUMBER:
        raise ConfigurationError([f"A number has {len(digits):,} digits: {digits[:10]}…; no dimension has so many"])
    return int(digits)


def _no_number(word: str) -> str:
    """“Infinity” as a word, which Python writes where no limit is meant; NaN is never meant."""
    if word == "NaN":
        raise ConfigurationError(["NaN is not a number that a config.json may hold"])
    return word


def _wrong(text: str, error: json.JSONDecodeError, depth: int) -> str:
    """Error at its place in the file, with its fix."""
    if error.pos >= len(text) or (depth > 0 and error.msg.startswith("Unterminated")):
        return "is where it ends, before its last bracket: paste the whole file"
    if error.msg == "Extra data":
        return "begins something after the last bracket: paste one file only"
    return f"cannot be {shown(text[error.pos : error.pos + 12])} there: paste the file as it was downloaded"


def _parsed(text: str) -> Mapping[str, Any]:
    """JSON object of a text. Raises ConfigurationError."""
    if len(text) > LONGEST:
        raise ConfigurationError([f"This is {len(text):,} characters long; a config.json has at most {LONGEST:,}"])
    try:
        text = files.plain(text).strip()
        depth = files.depth_of(text)
    except ValueError as error:
        raise ConfigurationError([str(error).capitalize()]) from None
    try:
        found = json.loads(text, parse_int=_whole, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        where = f"This is not JSON: line {error.lineno:,}, column {error.colno:,} {_wrong(text, error, depth)}"
        raise ConfigurationError([where]) from None
    if not isinstance(found, dict):
        raise ConfigurationError(["This is not a config.json: an object with keys was expected"])
    return found
