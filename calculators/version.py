"""The version of the calculators: links carry it, so that a later one can say what has changed since."""

# The same as the package's in pyproject.toml (tested). Whenever a number that readers saw moves, this does too.
VERSION = "0.1.47"
