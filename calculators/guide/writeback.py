"""Writeback: how much of a checkpoint the page cache of a node takes before its writers wait for storage."""

from calculators.declare import step


@step("B", "Data the page cache takes before writers wait", rises_with=("host_memory", "dirty_share"))
def dirty_limit(host_memory: float, dirty_share: float) -> float:
    """Upper limit of dirty pages in a node [B]; memory in use by processes lowers it.

    >>> dirty_limit(2e12, 0.25)
    500000000000.0
    """
    return host_memory * dirty_share


@step("B", "Checkpoint per node", rises_with=("checkpoint_size_per_gpu", "gpus_per_node"))
def node_checkpoint(checkpoint_size_per_gpu: float, gpus_per_node: float) -> float:
    """Bytes that the GPUs of one node write [B].

    >>> node_checkpoint(15e9, 8)
    120000000000.0
    """
    return checkpoint_size_per_gpu * gpus_per_node


@step("1", "Checkpoints that the page cache takes", rises_with=("dirty_limit",), falls_with=("node_checkpoint",))
def checkpoints_absorbed(dirty_limit: float, node_checkpoint: float) -> float:
    """Checkpoints that fit in a node's dirty pages if storage wrote nothing meanwhile [1].

    >>> checkpoints_absorbed(480e9, 120e9)
    4.0
    """
    return dirty_limit / node_checkpoint
