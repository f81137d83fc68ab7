"""Feed-forward blocks: plain, gated, or a router with experts."""

from collections.abc import Sequence

from calculators.configuration.keys import Keys
from calculators.configuration.stack import Block


def matrices(hidden: int, width: int, *, gated: bool, bias: bool = False) -> int:
    """Parameters of a block: two matrices, three with a gate, and their biases.

    >>> matrices(4096, 14336, gated=True)
    176160768
    """
    return (3 if gated else 2) * hidden * width + bias * ((2 if gated else 1) * width + hidden)


def dense(hidden: int, width: int, *, gated: bool = True, bias: bool = False) -> Block:
    """One block for every token."""
    return Block(parameters=matrices(hidden, width, gated=gated, bias=bias), width=width, gated=gated)


def experts(
    hidden: int,
    width: int,
    count: int,
    chosen: int,
    *,
    shared: int = 0,
    extra: int = 0,
    gated: bool = True,
    inner: int | None = None,
    one: int | None = None,
) -> Block:
    """`count` routed experts of `width`, of which `chosen` work on a token, and a shared block.

    `shared` is the width of the shared block; `extra` other parameters: gates, biases. `inner` is the width that the
    experts see where that is not the hidden size; `one` the size of an unusual expert.
    """
    each = matrices(inner or hidden, width, gated=gated) if one is None else one
    always = matrices(hidden, shared, gated=gated) if shared else 0
    return Block(
        parameters=count * each + count * hidden + always + extra,
        width=width,
        gated=gated,
        experts=count,
        chosen=chosen,
        shared=round(shared / width),
        one=each,
        inner=inner,
    )


def read_chosen(keys: Keys, count: int, *names: str, default: int | None = None) -> int:
    """Number of experts per token, refused above their count."""
    chosen = keys.count(*names, default=default)
    if chosen > count:
        keys.wrong(names[0], f"{names[0]} must be at most the {count} experts, not {chosen}")
    return chosen


def with_experts(layers: int, block: Block, other: Block, places: Sequence[bool]) -> list[Block]:
    """Block of each layer: experts where `places` says so, `other` elsewhere."""
    return [block if places[layer] else other for layer in range(layers)]
