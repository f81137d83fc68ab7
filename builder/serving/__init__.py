"""Serving while writing: a local server and the process that rebuilds."""
