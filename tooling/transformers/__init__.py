"""Configurations of models, drawn at random and counted by transformers: what our reader must find in them too."""
