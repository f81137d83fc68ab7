"""The training step of a machine: its inputs, its parts, and how far it was from published runs."""
