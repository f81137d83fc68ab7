"""Storage demand."""
