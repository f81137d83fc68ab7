"""Layers of a model: parameters of each, and values cached per token or per sequence."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Kind = Literal["global", "window", "latent", "compressed", "both", "state", "none"]
Part = Literal["embedding", "attention", "state", "dense", "experts", "norms", "output"]


@dataclass(frozen=True, kw_only=True)
class Mixer:
    """Token mixer of a layer: attention of some kind, a state, or nothing.

    `cached`: values cached per token (of the window, where there is one). `compressed`: mean values cached per token of
    the whole context in addition to a window. `state`: bytes per sequence at any length; next to attention,
    `of_state` of the parameters are those of the state.
    """

    kind: Kind
    parameters: int
    cached: int = 0
    window: int | None = None
    compressed: float = 0
    state: int = 0
    of_state: int = 0


NOTHING = Mixer(kind="none", parameters=0)


@dataclass(frozen=True, kw_only=True)
class Block:
    """Feed-forward block: dense, or `experts` of which `chosen` work on a token; `one` is the size of an expert.

    `inner` is the width that experts see where it is not the hidden size.
    """

    parameters: int
    width: int = 0
    gated: bool = True
    experts: int = 1
    chosen: int = 1
    shared: int = 0
    one: int = 0
    inner: int | None = None

    @property
    def idle(self) -> int:
        """Parameters that are inactive for a token."""
        return (self.experts - self.chosen) * self.one


NO_BLOCK = Block(parameters=0)


@dataclass(frozen=True, kw_only=True)
class Layer:
    """One layer: token mixer, feed-forward block, norms."""

    mixer: Mixer
    block: Block
    norms: int = 0


@dataclass(frozen=True, kw_only=True)
class Latent:
    """Widths of multi-head latent attention; `queries` is 0 where queries come directly from the hidden state."""

    queries: int
    keys: int
    rotary: int
    plain: int
    values: int


@dataclass(frozen=True, kw_only=True)
class Heads:
    """Attention heads of a model; `head_dim` is the length of a key, `value_dim` that of a value."""

    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    value_dim: int
    latent: Latent | None = None


@dataclass(frozen=True, kw_only=True)
class Stack:
    """Model: layers, embedding and output tables, and `extra`: final norms and other parameters.

    `of_layers`: per-layer embedding table, as in Gemma since 3n.
    """

    heads: Heads
    vocab: int
    layers: tuple[Layer, ...]
    embedding: int
    output: int
    extra: int
    tied: bool
    positions: int | None = None
    looked_up: int = 0
    of_layers: int = 0

    @cached_property
    def parts(self) -> Mapping[Part, int]:
        """Parameters by part; their sum is the total."""
        of_state = sum(
            layer.mixer.parameters if layer.mixer.kind == "state" else layer.mixer.of_state for layer in self.layers
        )
        return {
            "embedding": self.embedding + self.of_layers,
            "attention": sum(layer.mixer.parameters for layer in self.layers) - of_state,
            "state": of_state,
            "dense": sum(layer.block.parameters for layer in self.layers if layer.block.experts == 1),
            "experts": sum(layer.block.parameters for layer in self.layers if layer.block.experts > 1),
            "norms": sum(layer.norms for layer in self.layers) + self.extra,
            "output": self.output,
        }

    @cached_property
    def parameters(self) -> int:
        """Total parameters."""
        return sum(self.parts.values())

    @cached_property
    def active(self) -> int:
        """Parameters active per token, both tables included."""
        return self.parameters - sum(layer.block.idle for layer in self.layers)

    @cached_property
    def routed(self) -> int:
        """Parameters of all routed experts."""
        return sum(layer.block.experts * layer.block.one for layer in self.layers if layer.block.experts > 1)

    @cached_property
    def unmultiplied(self) -> int:
        """Parameters of lookup tables; of a table tied to the output layer only its positions."""
        tokens = self.embedding if not self.tied else self.embedding * self.looked_up // (self.vocab + self.looked_up)
        return tokens + self.of_layers

    @cached_property
    def cached(self) -> int:
        """Values cached per token while it lies in every window."""
        return sum(layer.mixer.cached for layer in self.layers)

    @cached_property
    def state(self) -> int:
        """State per sequence at any length [B]."""
        return sum(layer.mixer.state for layer in self.layers)

    def count(self, *kinds: Kind) -> int:
        """Number of layers whose mixer is of one of these kinds."""
        return sum(layer.mixer.kind in kinds for layer in self.layers)
