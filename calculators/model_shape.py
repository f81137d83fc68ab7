"""The likely shape of a model of which only the size is known."""

import math

ASPECT = 128  # hidden size over layers; 102 in Llama 3 70B, 128 in GPT-3 and Llama 3 8B, 130 in Llama 3.1 405B


def likely_layers(parameters: float) -> int:
    """Layers of a dense model with this many parameters: 12 parameters per layer and hidden size squared.

    Llama 3 70B has 80 layers, GPT-3 has 96.

    >>> likely_layers(70.6e9), likely_layers(175e9)
    (71, 96)
    """
    return max(1, round(math.pow(parameters / (12 * ASPECT**2), 1 / 3)))


def likely_hidden(parameters: float) -> int:
    """Hidden size of a dense model with this many parameters.

    >>> likely_hidden(175e9)
    12288
    """
    return ASPECT * likely_layers(parameters)
