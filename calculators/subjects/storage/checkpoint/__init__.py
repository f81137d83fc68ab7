"""Checkpoint size and bandwidth."""
