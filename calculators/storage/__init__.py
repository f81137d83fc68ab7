"""Storage: what training asks of it."""
