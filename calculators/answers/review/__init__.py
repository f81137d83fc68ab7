"""The design review: explorations of a state as finished text and as plain data, for any calculator."""
