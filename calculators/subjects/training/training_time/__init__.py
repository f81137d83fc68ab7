"""Training time and cost."""
