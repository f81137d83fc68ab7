"""Answers: what a state of a calculator says, as finished text, links, tables and explorations."""
