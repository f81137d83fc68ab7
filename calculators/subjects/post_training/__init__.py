"""Post-training: reinforcement learning and preference training on trainers and rollout engines."""
