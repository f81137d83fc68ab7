"""Formulas on a page: the working of each, rendered from the source that ran, as MathML."""
