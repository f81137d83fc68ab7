"""A transformer: its dimensions, its size and its adapters."""
