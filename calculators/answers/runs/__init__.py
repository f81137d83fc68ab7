"""Runs of the reader's own next to the model: what is measured, compared, judged and reported."""
