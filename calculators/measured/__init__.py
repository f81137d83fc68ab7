"""Readers of measured runs: one module per format, all of which return the records of record.py."""
