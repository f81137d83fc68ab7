"""Shares for the picture: the parts of a collective and of a step, each over its whole, on one scale."""

from calculators.declare import formulas_of, ratio

transfer_share = ratio("transfer_share", "transfer_time", "collective_time", "Transfer share of collective time")
arithmetic_share = ratio("arithmetic_share", "compute_time", "step_time", "Compute, share of step")
bubble_step_share = ratio("bubble_step_share", "bubble_time", "step_time", "Pipeline bubble, share of step")
tensor_share = ratio("tensor_share", "exposed_tensor_time", "step_time", "Exposed tensor parallelism, share of step")
context_share = ratio(
    "context_share", "exposed_context_time", "step_time", "Exposed context parallelism, share of step"
)
expert_share = ratio("expert_share", "exposed_expert_time", "step_time", "Exposed expert parallelism, share of step")
pipeline_share = ratio(
    "pipeline_share", "exposed_pipeline_time", "step_time", "Exposed pipeline transfers, share of step"
)
data_share = ratio("data_share", "exposed_data_time", "step_time", "Exposed data parallelism, share of step")
hidden_share = ratio("hidden_share", "hidden_time", "step_time", "Overlapped communication, share of step")

FORMULAS = formulas_of(globals())
