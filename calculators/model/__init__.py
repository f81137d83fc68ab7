"""The model: the vocabulary that calculators share, and the shape and size of a transformer."""
