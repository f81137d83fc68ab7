"""A stack of layers as a configuration gives it: what each holds, and what it keeps of a sequence."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Kind = Literal["global", "window", "latent", "compressed", "both", "state", "none"]
Part = Literal["embedding", "attention", "state", "dense", "experts", "norms", "output"]


@dataclass(frozen=True, kw_only=True)
class Mixer:
    """What mixes the tokens of a layer: attention of some kind, a state, or nothing.

    `cached`: values kept of each token (of a window's, where there is one). `compressed`: values kept of each token of
    the whole context beside a window, in the mean. `state` bytes are kept of a sequence, however long it is; where that
    is beside attention, `of_state` of the parameters are those of the state.
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
    """A feed-forward block: one, or `experts` of which `chosen` work on a token; `one` is the size of an expert.

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
        """Parameters that a token leaves unused."""
        return (self.experts - self.chosen) * self.one


NO_BLOCK = Block(parameters=0)


@dataclass(frozen=True, kw_only=True)
class Layer:
    """One layer: what mixes tokens, what works on each, and the norms around both."""

    mixer: Mixer
    block: Block
    norms: int = 0


@dataclass(frozen=True, kw_only=True)
class Latent:
    """Widths of multi-head latent attention; no `queries` where queries are made straight from the hidden state."""

    queries: int
    keys: int
    rotary: int
    plain: int
    values: int


@dataclass(frozen=True, kw_only=True)
class Heads:
    """The heads of a model's attention; `head_dim` is the length of a key, `value_dim` that of a value."""

    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    value_dim: int
    latent: Latent | None = None


@dataclass(frozen=True, kw_only=True)
class Stack:
    """A model: its layers, its tables and what is beside them. `beside`: final norms and all that has no other name.

    `of_layers`: a table of which each layer looks up rows of its own, as Gemma has it since 3n.
    """

    heads: Heads
    vocab: int
    layers: tuple[Layer, ...]
    embedding: int
    output: int
    beside: int
    tied: bool
    positions: int | None = None
    looked_up: int = 0
    of_layers: int = 0

    @cached_property
    def parts(self) -> Mapping[Part, int]:
        """Parameters by part; they add up to all."""
        of_state = sum(
            layer.mixer.parameters if layer.mixer.kind == "state" else layer.mixer.of_state for layer in self.layers
        )
        return {
            "embedding": self.embedding + self.of_layers,
            "attention": sum(layer.mixer.parameters for layer in self.layers) - of_state,
            "state": of_state,
            "dense": sum(layer.block.parameters for layer in self.layers if layer.block.experts == 1),
            "experts": sum(layer.block.parameters for layer in self.layers if layer.block.experts > 1),
            "norms": sum(layer.norms for layer in self.layers) + self.beside,
            "output": self.output,
        }

    @cached_property
    def parameters(self) -> int:
        """Everything the model holds."""
        return sum(self.parts.values())

    @cached_property
    def active(self) -> int:
        """What works on each token, both tables included."""
        return self.parameters - sum(layer.block.idle for layer in self.layers)

    @cached_property
    def routed(self) -> int:
        """All experts behind routers, chosen or not."""
        return sum(layer.block.experts * layer.block.one for layer in self.layers if layer.block.experts > 1)

    @cached_property
    def unmultiplied(self) -> int:
        """Tables that are looked up and not multiplied: of a table that is the output layer too, positions alone."""
        tokens = self.embedding if not self.tied else self.embedding * self.looked_up // (self.vocab + self.looked_up)
        return tokens + self.of_layers

    @cached_property
    def cached(self) -> int:
        """Values kept of a token while it lies in every window."""
        return sum(layer.mixer.cached for layer in self.layers)

    @cached_property
    def state(self) -> int:
        """Bytes kept of a sequence, however long it is."""
        return sum(layer.mixer.state for layer in self.layers)

    def count(self, *kinds: Kind) -> int:
        """Layers whose mixer is of one of these kinds."""
        return sum(layer.mixer.kind in kinds for layer in self.layers)
