"""Data lifecycle."""
