"""A configuration in words, for people and for programs: a sentence, the strip of layers, the parts."""

import itertools
from collections.abc import Mapping
from typing import Any

from calculators import units
from calculators.configuration import Configuration, read
from calculators.configuration.filling import dimensions
from calculators.configuration.stack import Kind, Layer, Part, Stack
from calculators.declare.files import File, Read

_BF16 = 2
_WIDE = 64
MIXERS: Mapping[Kind, tuple[str, str]] = {
    "global": ("A", "attention to everything"),
    "window": ("w", "attention to a window"),
    "latent": ("L", "latent attention"),
    "compressed": ("c", "attention to a window and compressed entries"),
    "both": ("b", "attention to everything beside a state"),
    "state": ("s", "a state"),
    "none": ("-", "no mixing of tokens"),
}
BLOCKS: Mapping[str, tuple[str, str]] = {
    "experts": ("E", "experts"),
    "dense": ("d", "one feed-forward block"),
    "none": ("-", "no feed-forward block"),
}
PARTS: Mapping[Part, str] = {
    "embedding": "Embedding",
    "attention": "Attention",
    "state": "State layers",
    "dense": "Feed-forward blocks",
    "experts": "Experts and routers",
    "norms": "Norms and the rest",
    "output": "Output layer",
}


def block_kind(layer: Layer) -> str:
    """What stands behind a layer's mixing."""
    return "experts" if layer.block.experts > 1 else "dense" if layer.block.parameters else "none"


def mix(stack: Stack) -> str:
    """How many layers mix tokens in which way, in words."""
    counts = [(what, stack.count(kind)) for kind, (_, what) in MIXERS.items()]
    said = [f"{number} with {what}" if number else "" for what, number in counts]
    return ", ".join(filter(None, said))


def sentence(configuration: Configuration) -> str:
    """The model in one sentence."""
    stack = configuration.stack
    parameters = units.text(stack.parameters, "parameter")
    active = "all of them" if stack.active == stack.parameters else units.text(stack.active, "parameter")
    cache = units.text(kept_per_token(stack), "B/token", binary=True)
    return (
        f"{parameters} in {units.text(len(stack.layers), 'layer')}: {mix(stack)}; "
        f"a token works with {active} and leaves {cache} behind in bf16."
    )


def kept_per_token(stack: Stack) -> float:
    """Bytes of a token kept in bf16 while it lies in every window [B/token]."""
    return _BF16 * (stack.cached + sum(layer.mixer.compressed for layer in stack.layers))


def remarks(configuration: Configuration) -> list[str]:
    """What is to be known of the reading: keys used, what is not counted, what a quantization suggests."""
    found = [f"Read whole: {configuration.used} keys used, {configuration.idle} without effect."]
    if configuration.not_counted:
        found.append(f"Not counted: {' and '.join(configuration.not_counted)}.")
    if configuration.stack.state:
        size = units.text(configuration.stack.state, "B", binary=True)
        found.append(f"State layers keep {size} of each sequence, however long it is.")
    if configuration.weight_bits is not None:
        found.append(
            f"It names a quantization to {configuration.weight_bits} bits; which tensors stay in 16 bits it does not "
            "say, so bytes per weight are left as they are."
        )
    return found


def runs(stack: Stack) -> list[tuple[int, Kind, str]]:
    """Consecutive layers that are alike: how many, how they mix tokens, and what block they have."""
    each = [(layer.mixer.kind, block_kind(layer)) for layer in stack.layers]
    return [(len(list(group)), *kind) for kind, group in itertools.groupby(each)]


def _strip(stack: Stack) -> list[str]:
    """Two rows of letters, one for each layer: how it mixes tokens, and its block."""
    above = "".join(MIXERS[layer.mixer.kind][0] for layer in stack.layers)
    below = "".join(BLOCKS[block_kind(layer)][0] for layer in stack.layers)
    rows = []
    for start in range(0, len(above), _WIDE):
        rows += [f"  {above[start : start + _WIDE]}", f"  {below[start : start + _WIDE]}", ""]
    used = {letter: what for letter, what in (*MIXERS.values(), *BLOCKS.values()) if letter in above + below}
    return [*rows[:-1], "  " + ", ".join(f"{letter} {what}" for letter, what in used.items())]


def parts(stack: Stack) -> list[tuple[Part, str, str, str]]:
    """The parts that the model has: key, label, parameters, and the share of all."""
    return [
        (key, PARTS[key], f"{number:,}", units.text(number / stack.parameters, "share"))
        for key, number in stack.parts.items()
        if number
    ]


def report(configuration: Configuration) -> str:
    """The model for people: the sentence, what was read, the strip of layers, the parts, the dimensions."""
    stack = configuration.stack
    lines = [sentence(configuration), *remarks(configuration), "", "Layers", *_strip(stack), "", "Parts"]
    lines += [f"  {label:<24}{number:>22}{share:>10}" for _, label, number, share in parts(stack)]
    lines += [f"  {'All':<24}{stack.parameters:>22,}", f"  {'At work on a token':<24}{stack.active:>22,}"]
    lines += ["", "Inputs that it fills"]
    lines += [f"  {name:<24}{_plain(value):>22}" for name, value in dimensions(configuration).items()]
    return "\n".join(lines) + "\n"


def told(text: str) -> Read:
    """What a config.json says. Raises ConfigurationError with every problem."""
    found = read(text)
    return Read(
        values=dimensions(found),
        sentence=sentence(found),
        remarks=tuple(remarks(found)),
        strip=tuple(line.removeprefix("  ") for line in _strip(found.stack)),
        parts=tuple((label, number, share) for _, label, number, share in parts(found.stack)),
    )


CONFIG_FILE = File(
    name="config.json",
    about="Paste a model's own config.json, or drop the file here: it fills the dimensions, exactly or not at all. "
    "It is read on this page and sent nowhere; a link carries the dimensions, not the file.",
    read=told,
)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}" if isinstance(value, float) else str(value)


def described(configuration: Configuration) -> dict[str, Any]:
    """The same as plain data."""
    stack = configuration.stack
    return {
        "family": configuration.family,
        "parameters": stack.parameters,
        "active_parameters": stack.active,
        "embedding_parameters": stack.unmultiplied,
        "routed_parameters": stack.routed,
        "parts": {key: number for key, number in stack.parts.items() if number},
        "layers": [{"mixer": layer.mixer.kind, "block": block_kind(layer)} for layer in stack.layers],
        "cached_values_per_token": stack.cached,
        "compressed_values_per_token": sum(layer.mixer.compressed for layer in stack.layers),
        "state_per_sequence": stack.state,
        "weight_bits": configuration.weight_bits,
        "not_counted": list(configuration.not_counted),
        "keys": {"used": configuration.used, "without_effect": configuration.idle},
        "inputs": dict(dimensions(configuration)),
    }
