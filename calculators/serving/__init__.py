"""Serving: what a fleet that answers needs."""
