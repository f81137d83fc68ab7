"""Calculators for AI infrastructure: declarations, formulas, and everything that is derived from them."""
