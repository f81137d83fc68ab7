"""Calculators of retrieval: vector indexes and the service that searches them."""
