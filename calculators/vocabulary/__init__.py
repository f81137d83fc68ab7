"""Inputs and formulas that several calculators share."""
