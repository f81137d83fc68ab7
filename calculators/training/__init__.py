"""Training: what a run needs of memory and of time."""
