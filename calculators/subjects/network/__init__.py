"""Calculators of the network."""
