"""Calculators of serving."""
