"""Report on a configuration, as text and as data: a sentence, the strip of layers, parameters by part."""

import itertools
from collections.abc import Mapping
from typing import Any

from calculators import units
from calculators.configuration import Configuration, read
from calculators.configuration.dimensions import dimensions
from calculators.configuration.stack import Kind, Layer, Part, Stack
from calculators.declare.files import File, Read

_BF16 = 2
_WIDE = 64
MIXERS: Mapping[Kind, tuple[str, str]] = {
    "global": ("A", "full attention"),
    "window": ("w", "sliding-window attention"),
    "latent": ("L", "latent attention"),
    "compressed": ("c", "sliding window and compressed entries"),
    "both": ("b", "full attention and a state"),
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
    """Kind of a layer's feed-forward block."""
    return "experts" if layer.block.experts > 1 else "dense" if layer.block.parameters else "none"


def mixer_counts(stack: Stack) -> str:
    """Number of layers by mixer, as text."""
    counts = [(what, stack.count(kind)) for kind, (_, what) in MIXERS.items()]
    messages = [f"{number} with {what}" if number else "" for what, number in counts]
    return ", ".join(filter(None, messages))


def sentence(configuration: Configuration) -> str:
    """Model in one sentence: parameters, layers, active parameters, KV cache per token."""
    stack = configuration.stack
    parameters = units.text(stack.parameters, "parameter")
    active = "all of them" if stack.active == stack.parameters else units.text(stack.active, "parameter")
    cache = units.text(cached_per_token(stack), "B/token", binary=True)
    return (
        f"{parameters} in {units.text(len(stack.layers), 'layer')}: {mixer_counts(stack)}; "
        f"active per token: {active}; KV cache: {cache} in bf16."
    )


def cached_per_token(stack: Stack) -> float:
    """Bytes cached per token in bf16 while it lies in every window [B/token]."""
    return _BF16 * (stack.cached + sum(layer.mixer.compressed for layer in stack.layers))


def remarks(configuration: Configuration) -> list[str]:
    """Remarks on the reading: keys used, modules not counted, state size, quantization."""
    found = [f"{configuration.used} keys used, {configuration.idle} ignored (no effect on shapes)."]
    if configuration.not_counted:
        found.append(f"Not counted: {' and '.join(configuration.not_counted)}.")
    if configuration.stack.state:
        size = units.text(configuration.stack.state, "B", binary=True)
        found.append(f"State layers keep {size} per sequence, at any length.")
    return [*found, *_of_quantization(configuration)]


def _of_quantization(configuration: Configuration) -> list[str]:
    """Remarks on the published precision: size, bytes per parameter of each part, KV cache."""
    found = configuration.quantization
    if found is None:
        return []
    if not found.known:
        return [f"Quantization “{found.method}” is not known: weights count 16 bits each. Give the bytes per weight."]
    size = units.text(found.mean * configuration.stack.parameters, "B")
    widths = ", ".join(f"{PARTS[part].lower()} {width:.4g}" for part, width in found.parts.items() if part != "norms")
    messages = [f"Weights as published: {size} in {found.method}, {found.mean:.4g} B/parameter: {widths}."]
    if found.narrow_cache:
        messages.append("It also names an 8-bit KV cache: set 1 byte per cached value if the engine uses it.")
    return messages


def runs(stack: Stack) -> list[tuple[int, Kind, str]]:
    """Runs of equal layers: how many, their mixer, their block."""
    each = [(layer.mixer.kind, block_kind(layer)) for layer in stack.layers]
    return [(len(list(group)), *kind) for kind, group in itertools.groupby(each)]


def _strip(stack: Stack) -> list[str]:
    """Two rows of letters, one letter per layer: its mixer above, its block below. One line where all are alike."""
    if len(alike := runs(stack)) == 1:
        ((count, mixer, block),) = alike
        return [f"  {units.text(count, 'layer')}, all alike: {MIXERS[mixer][1]}, {BLOCKS[block][1]}"]
    above = "".join(MIXERS[layer.mixer.kind][0] for layer in stack.layers)
    below = "".join(BLOCKS[block_kind(layer)][0] for layer in stack.layers)
    rows = []
    for start in range(0, len(above), _WIDE):
        rows += [f"  {above[start : start + _WIDE]}", f"  {below[start : start + _WIDE]}", ""]
    used = {letter: what for letter, what in (*MIXERS.values(), *BLOCKS.values()) if letter in above + below}
    return [*rows[:-1], "  " + ", ".join(f"{letter} {what}" for letter, what in used.items())]


def parts(stack: Stack) -> list[tuple[Part, str, str, str]]:
    """Parameters by part: key, label, number, share of all."""
    return [
        (key, PARTS[key], f"{number:,}", units.text(number / stack.parameters, "share"))
        for key, number in stack.parts.items()
        if number
    ]


def report(configuration: Configuration) -> str:
    """Report as text: the sentence, remarks, strip of layers, parameters by part, dimensions."""
    stack = configuration.stack
    lines = [sentence(configuration), *remarks(configuration), "", "Layers", *_strip(stack), "", "Parts"]
    quantized = configuration.quantization
    width = {key: f"{one:.4g} B" for key, one in quantized.parts.items()} if quantized else {}
    lines += [
        f"  {label:<24}{number:>22}{share:>10}{width.get(key, ''):>10}".rstrip()
        for key, label, number, share in parts(stack)
    ]
    lines += [f"  {'All':<24}{stack.parameters:>22,}", f"  {'Active per token':<24}{stack.active:>22,}"]
    lines += ["", "Inputs filled"]
    lines += [f"  {name:<24}{_plain(value):>22}" for name, value in dimensions(configuration).items()]
    return "\n".join(lines) + "\n"


def read_file(text: str) -> Read:
    """Inputs and report from the text of a config.json. Raises ConfigurationError with every problem."""
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
    about="Paste a model's config.json or drop the file here: it fills in the dimensions, exactly or not at all. "
    "The file is read in this page and sent nowhere; a link carries the dimensions, not the file.",
    read=read_file,
)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}" if isinstance(value, float) else str(value)


def _weight_bytes(configuration: Configuration) -> dict[str, Any] | None:
    """Published precision as plain data, bytes per parameter [B/parameter]; None without a quantization."""
    found = configuration.quantization
    if found is None:
        return None
    return {"method": found.method, "known": found.known, "mean": found.mean, "parts": dict(found.parts)}


def to_dict(configuration: Configuration) -> dict[str, Any]:
    """Report as plain data."""
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
        "weight_bytes": _weight_bytes(configuration),
        "not_counted": list(configuration.not_counted),
        "keys": {"used": configuration.used, "without_effect": configuration.idle},
        "inputs": dict(dimensions(configuration)),
    }
