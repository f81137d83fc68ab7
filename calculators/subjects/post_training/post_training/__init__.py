"""RL post-training: step time, split of GPUs, waits and cost."""
