"""Arithmetic that only the guide and its figures use."""
