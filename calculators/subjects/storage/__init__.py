"""Calculators of storage."""
