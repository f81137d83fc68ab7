"""Rows that a page, its figure and a file to download share."""
