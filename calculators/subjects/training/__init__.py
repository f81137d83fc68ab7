"""Calculators of training."""
