"""Layouts of a training job: their space, the search, and words for what it found."""
