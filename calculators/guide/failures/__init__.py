"""Failures: published counts of them on one scale, and rates with their counting error."""
