"""Time of a training step from the shapes of a model's matrices, its attention, and what a layout makes of them."""
