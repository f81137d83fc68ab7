"""Calculators of money."""
