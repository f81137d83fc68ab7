"""Shares for the picture: the parts of a collective and of a step, each over its whole, on one scale."""

from calculators.declare import formulas_of, ratio

transfer_share = ratio("transfer_share", "transfer_time", "collective_time", "Transfer share of collective time")
arithmetic_share = ratio("arithmetic_share", "compute_time", "step_time", "Compute share of step")
bubble_step_share = ratio("bubble_step_share", "bubble_time", "step_time", "Pipeline bubble share")
tensor_share = ratio("tensor_share", "exposed_tensor_time", "step_time", "Exposed tensor-parallel share")
context_share = ratio("context_share", "exposed_context_time", "step_time", "Exposed context-parallel share")
expert_share = ratio("expert_share", "exposed_expert_time", "step_time", "Exposed expert-parallel share")
pipeline_share = ratio("pipeline_share", "exposed_pipeline_time", "step_time", "Exposed pipeline transfer share")
data_share = ratio("data_share", "exposed_data_time", "step_time", "Exposed data-parallel share")
hidden_share = ratio("hidden_share", "hidden_time", "step_time", "Overlapped communication share")

FORMULAS = formulas_of(globals())
