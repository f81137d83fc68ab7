"""Calculators of the facility: power and cooling."""
