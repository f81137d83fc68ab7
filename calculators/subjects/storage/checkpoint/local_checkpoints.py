"""Near saves: those that stay on the GPU nodes, between saves that reach storage; described once for every calculator.

`durable_every` is that description. With 1 every save goes to storage, and there is one tier. With more, each save is
near, and every so many of them one is also written to storage that outlives the nodes.
"""

from calculators.declare import formulas_of, step


@step("s", "Between saves that reach storage", rises_with=("checkpoint_interval", "durable_every"))
def durable_interval(checkpoint_interval: float, durable_every: float) -> float:
    """From the start of one save that reaches storage to the start of the next, as it is set [s].

    >>> durable_interval(120, 30)
    3600
    """
    return checkpoint_interval * durable_every


@step("B", "A near save on each GPU node")
def near_bytes_per_node(checkpoint_size: float, near_copies: float, gpu_nodes: float) -> float:
    """What one near save puts on each GPU node's own drives [B], or would put there.

    >>> near_bytes_per_node(5, 2, 4)
    2.5
    """
    return checkpoint_size * near_copies / gpu_nodes


@step("s", "A near save takes")
def near_write_time(near_bytes_per_node: float, local_write: float) -> float:
    """How long a near save is written [s], every node at `local_write` [B/s]."""
    return near_bytes_per_node / local_write


FORMULAS = formulas_of(globals())
