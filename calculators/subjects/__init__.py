"""Every calculator, in a folder of its own, by subject."""
