"""A model's own configuration (config.json): read to the parameter, or refused with every key not understood.

It is read by its `model_type`, in the family's way; defaults of missing keys are those of transformers' own classes.
Nothing is estimated: a key left over that may change a shape is a problem, and so is a family that is not known.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calculators.configuration.families import FAMILIES
from calculators.configuration.keys import Keys, shown
from calculators.configuration.stack import Stack

LONGEST = 1_000_000
_DEEPEST = 40
_INNER = ("text_config", "llm_config", "language_config")
_BESIDE = {
    "vision_config": "the vision encoder",
    "audio_config": "the audio encoder",
    "speech_config": "the audio encoder",
}
_AHEAD = (
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
    """What was read: the family, the stack, how many keys were used and how many have no effect, what is not counted.

    `weight_bits` is what the quantization named in it would make of most weights; nothing where there is none.
    """

    family: str
    stack: Stack
    used: int
    idle: int
    not_counted: tuple[str, ...] = ()
    weight_bits: int | None = None


def read(text: str) -> Configuration:
    """The model of a config.json. Raises ConfigurationError with every problem."""
    return of_table(_parsed(text))


def of_table(given: Mapping[str, Any]) -> Configuration:
    """The model of a configuration already parsed. Raises ConfigurationError with every problem."""
    name = next((one for one in _INNER if isinstance(given.get(one), dict)), None)
    inside = given[name] if name else given
    around = {key: value for key, value in given.items() if key not in {name, "model_type"}} if name else {}
    family = inside.get("model_type")
    if not isinstance(family, str) or family not in FAMILIES:
        raise ConfigurationError([_unknown(family)])
    beside = [what for key, what in _BESIDE.items() if given.get(key)]
    keys = Keys(inside, around, alone=not beside)
    ahead = [one for one in _AHEAD if keys.given(one) and inside[one]]
    stack = FAMILIES[family](keys)
    problems = keys.all_problems()
    if problems:
        raise ConfigurationError(list(problems.values()))
    return Configuration(
        family=family,
        stack=stack,
        used=keys.asked(),
        idle=keys.idle(),
        not_counted=(*dict.fromkeys(beside), *(["layers that predict further tokens"] if ahead else [])),
        weight_bits=_weight_bits(inside.get("quantization_config") or given.get("quantization_config")),
    )


def _unknown(family: object) -> str:
    if family is None:
        return "model_type is missing: this is no config.json of a model that is known here"
    return f"model_type {shown(family)} is not known; known are {', '.join(sorted(FAMILIES))}"


def _parsed(text: str) -> Mapping[str, Any]:
    """The table that a text holds; checked for depth first, because a parser gone too deep cannot be caught."""
    if len(text) > LONGEST:
        raise ConfigurationError([f"This is {len(text):,} characters long; a config.json has at most {LONGEST:,}"])
    depth = deepest = 0
    for letter in text:
        depth += (letter in "{[") - (letter in "}]")
        deepest = max(deepest, depth)
    if deepest > _DEEPEST:
        raise ConfigurationError(["This is nested deeper than any config.json"])
    try:
        found = json.loads(text)
    except ValueError as error:
        raise ConfigurationError([f"This is no JSON: {error}"]) from None
    if not isinstance(found, dict):
        raise ConfigurationError(["This is no config.json: a table of keys was expected"])
    return found


def _weight_bits(quantization: object) -> int | None:
    """Bits that the quantization says weights have; a suggestion, since it leaves tensors out that it does not name."""
    if not isinstance(quantization, dict):
        return None
    bits = quantization.get("bits")
    named = " ".join(str(quantization.get(key, "")) for key in ("quant_method", "quant_algo", "fmt")).lower()
    if isinstance(bits, int) and not isinstance(bits, bool):
        return bits
    known = (("fp4", 4), ("mxfp4", 4), ("fp8", 8), ("e4m3", 8))
    return next((number for word, number in known if word in named), None)
