"""Cost: own or rent."""
