"""Cabling of one unit of 256 GPUs: what is in each rack unit, and every cable of the compute fabric."""
