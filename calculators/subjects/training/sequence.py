"""The training sequence: how long it usually is, and what the model's positions allow."""

from calculators import facts
from calculators.declare import formulas_of, step, warning
from calculators.vocabulary.layout import ON_THE_LAYOUT

USUAL_LENGTH = float(facts.fact("llama-3-70b.sequence_length").value)


@step("token", "Typical sequence length")
def usual_sequence_length(positions: float | None) -> float:
    """Sequence length [token] where the model's own is not published: Llama 3's, or all the positions there are.

    >>> usual_sequence_length(2048), usual_sequence_length(131072)
    (2048, 8192.0)
    """
    return USUAL_LENGTH if positions is None else min(USUAL_LENGTH, positions)


@warning(speaks="model=gpt-3-175b&sequence_length=2049", silent="model=gpt-3-175b", refuses=ON_THE_LAYOUT)
def beyond_table(sequence_length: float, position_embeddings: float) -> str:
    """A sequence longer than the table of learned positions, which Megatron-LM asserts (`max_position_embeddings`)."""
    if not position_embeddings or sequence_length <= position_embeddings:
        return ""
    return (
        "The model has learned {position_embeddings} positions: "
        "without a longer table it cannot be trained on {sequence_length}."
    )


@warning(speaks="sequence_length=1M", silent="")
def beyond_positions(sequence_length: float, positions: float | None, position_embeddings: float) -> str:
    """A sequence longer than the model is made for."""
    if positions is None or sequence_length <= positions or 0 < position_embeddings < sequence_length:
        return ""
    return (
        "The model is made for {positions} at most, not for {sequence_length}: "
        "right only if its positions are being stretched."
    )


SEQUENCE = formulas_of(globals())
