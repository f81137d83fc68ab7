"""Where the time goes: the parts of a collective and of a step as shares of each, so that one scale holds both."""

from calculators.declare import formulas_of, step


@step("share", "Bytes, of the collective")
def transfer_share(transfer_time: float, collective_time: float) -> float:
    """What of the collective's time grows with the message [share]."""
    return transfer_time / collective_time


@step("share", "Arithmetic, of the step")
def arithmetic_share(compute_time: float, step_time: float) -> float:
    """What of a step is arithmetic [share]."""
    return compute_time / step_time


@step("share", "Bubble, of the step")
def bubble_step_share(bubble_time: float, step_time: float) -> float:
    """What of a step stages wait for each other [share]."""
    return bubble_time / step_time


@step("share", "Tensor parallelism, of the step")
def tensor_share(exposed_tensor_time: float, step_time: float) -> float:
    """What of a step arithmetic waits for tensor parallelism [share]."""
    return exposed_tensor_time / step_time


@step("share", "Context parallelism, of the step")
def context_share(exposed_context_time: float, step_time: float) -> float:
    """What of a step arithmetic waits for context parallelism [share]."""
    return exposed_context_time / step_time


@step("share", "Expert parallelism, of the step")
def expert_share(exposed_expert_time: float, step_time: float) -> float:
    """What of a step arithmetic waits for expert parallelism [share]."""
    return exposed_expert_time / step_time


@step("share", "Hand-overs, of the step")
def pipeline_share(exposed_pipeline_time: float, step_time: float) -> float:
    """What of a step arithmetic waits for hand-overs between stages [share]."""
    return exposed_pipeline_time / step_time


@step("share", "Data parallelism, of the step")
def data_share(exposed_data_time: float, step_time: float) -> float:
    """What of a step arithmetic waits for data parallelism [share]."""
    return exposed_data_time / step_time


@step("share", "Hidden communication, of the step")
def hidden_share(hidden_time: float, step_time: float) -> float:
    """What of a step communication overlaps with arithmetic [share]."""
    return hidden_time / step_time


FORMULAS = formulas_of(globals())
