"""Shared by most families: assembly of layers, tables and norms; attention kind of each layer."""

from collections.abc import Callable, Mapping, Sequence

from calculators.configuration.keys import Keys
from calculators.configuration.stack import Block, Heads, Layer, Mixer, Stack

MOST_LAYERS = 2000
KINDS: Mapping[str, str] = {
    "full_attention": "global",
    "attention": "global",
    "sliding_attention": "window",
    "chunked_attention": "window",
}
STATES: Mapping[str, str] = {**KINDS, "linear_attention": "state", "mamba": "state"}


def read_layers(keys: Keys, *names: str) -> int:
    """Number of layers, refused above `MOST_LAYERS`."""
    name = names[0] if names else "num_hidden_layers"
    count = keys.count(*(names or (name,)))
    if count > MOST_LAYERS:
        keys.wrong(name, f"{name} must be at most {MOST_LAYERS}, not {count}")
        return 1  # a placeholder, not used
    return count


def read_kinds(keys: Keys, layers: int, usual: Callable[[int], str], meanings: Mapping[str, str] = KINDS) -> list[str]:
    """Kind of each layer: from layer_types, else the family's default for the layer's index."""
    return keys.words("layer_types", meanings, layers) or [usual(layer) for layer in range(layers)]


def cyclic(period: int, *, last: str = "global", others: str = "window") -> Callable[[int], str]:
    """Default kinds by index: `last` for each period's last layer, `others` for the rest; with period 0 all `last`."""
    return lambda layer: last if period < 1 or (layer + 1) % period == 0 else others


def assembled(
    keys: Keys,
    heads: Heads,
    mixers: Sequence[Mixer],
    blocks: Sequence[Block],
    *,
    norms: int,
    tied: bool,
    final: int,
    head_bias: bool = False,
    positions: int = 0,
    extra: int = 0,
    of_layers: int = 0,
    width: int | None = None,
    vocab: int | None = None,
) -> Stack:
    """Stack with `norms` in each layer, `final` after the last, learned `positions`, and `extra` parameters.

    `of_layers` is a per-layer embedding table. `width` is that of the tables where it is not
    the hidden size; `vocab` the family's own where no key gives it.
    """
    rows = keys.count("vocab_size", default=vocab)
    across = width or heads.hidden
    own_output = not keys.tied(default=tied)
    return Stack(
        heads=heads,
        vocab=rows,
        layers=tuple(Layer(mixer=mixer, block=block, norms=norms) for mixer, block in zip(mixers, blocks, strict=True)),
        embedding=(rows + positions) * across,
        output=own_output * rows * across + head_bias * rows,
        extra=final + extra,
        tied=not own_output,
        positions=keys.maybe("max_position_embeddings", "n_positions", "seq_length"),
        looked_up=positions,
        of_layers=of_layers,
    )
