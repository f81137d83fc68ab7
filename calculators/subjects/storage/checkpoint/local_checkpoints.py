"""Local checkpoints: those that stay on the GPU nodes between checkpoints that are persisted to storage.

With `persist_every` 1 every checkpoint goes to storage, and there is one tier. With n each checkpoint is local, and
every n-th one is also written to storage that outlives the nodes.
"""

from calculators.declare import formulas_of, step


@step("s", "Interval between persisted checkpoints", rises_with=("checkpoint_interval", "persist_every"))
def durable_interval(checkpoint_interval: float, persist_every: float) -> float:
    """Time from the start of one persisted checkpoint to the start of the next, as set [s].

    >>> durable_interval(120, 30)
    3600
    """
    return checkpoint_interval * persist_every


@step("B", "Local checkpoint per GPU node")
def local_bytes_per_node(checkpoint_size: float, copies_per_shard: float, gpu_nodes: float) -> float:
    """Bytes that one local checkpoint puts on the drives of each GPU node [B].

    >>> local_bytes_per_node(5, 2, 4)
    2.5
    """
    return checkpoint_size * copies_per_shard / gpu_nodes


@step("s", "Write time of a local checkpoint")
def local_write_time(local_bytes_per_node: float, local_write: float) -> float:
    """Write time of a local checkpoint [s], every node at `local_write` [B/s]."""
    return local_bytes_per_node / local_write


FORMULAS = formulas_of(globals())
