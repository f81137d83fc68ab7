"""Serving of models that are counted in samples: vision, diffusion, recommenders, science."""
