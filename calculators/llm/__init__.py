"""Transformer models: dimensions, parameter counts and adapters."""
