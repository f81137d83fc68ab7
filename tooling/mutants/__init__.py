"""Do the tests notice a change of the arithmetic? `python -m tooling.mutants MODULE ...`."""
