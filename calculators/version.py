"""Version of the calculators, carried by links so that later versions can list changes since."""

# The same as the package's in pyproject.toml (tested). Whenever a number that readers saw moves, this does too.
VERSION = "0.1.123"
