"""Inputs of calculators filled from a configuration: dimensions by the vocabulary's names."""

from collections.abc import Mapping
from typing import Any

from calculators.configuration import Configuration
from calculators.configuration.stack import Heads, Stack

_DIGITS = 6


def dimensions(configuration: Configuration) -> Mapping[str, Any]:
    """Every dimension that calculators take, in base units; those that do not apply are left out.

    Pieces that no dimension names (norms, biases, states) are in `parameters`, by which calculators scale the others.
    """
    stack = configuration.stack
    return {
        "parameters": stack.parameters,
        "active_parameters": stack.active,
        "layers": len(stack.layers),
        "vocab": stack.vocab,
        "tied_embeddings": stack.tied,
        **_of_heads(stack.heads),
        **_of_blocks(stack),
        **_of_attention(stack),
        **_of_mixers(stack),
        **({"position_embeddings": stack.looked_up} if stack.looked_up else {}),
        **({"layer_embedding_parameters": stack.of_layers} if stack.of_layers else {}),
        **({"positions": stack.positions} if stack.positions else {}),
        **_of_weights(configuration),
    }


def _of_weights(configuration: Configuration) -> dict[str, Any]:
    """Mean bytes per weight and bits of matrix products, where the file names a quantization that is known."""
    found = configuration.quantization
    if found is None or not found.known:
        return {}
    return {
        "weight_bytes": round(found.mean, _DIGITS),
        **({"arithmetic": found.arithmetic} if found.arithmetic else {}),
    }


def _of_heads(heads: Heads) -> dict[str, Any]:
    """Head dimensions; with latent attention also the latents' widths, one key and value per head."""
    found: dict[str, Any] = {"hidden": heads.hidden, "heads": heads.heads, "head_dim": heads.head_dim}
    width = heads.heads * (heads.head_dim + heads.value_dim) // 2
    if width != heads.hidden:
        found["attention_width"] = width
    if heads.latent is None:
        values = {"v_head_dim": heads.value_dim} if heads.value_dim != heads.head_dim else {}
        return {**found, "kv_heads": heads.kv_heads, **values}
    latent = heads.latent
    return {
        **found,
        "kv_heads": heads.heads,
        "q_lora_rank": latent.queries,
        "kv_lora_rank": latent.keys,
        "rope_head_dim": latent.rotary,
        "nope_head_dim": latent.plain,
        "v_head_dim": latent.values,
    }


def _of_blocks(stack: Stack) -> dict[str, Any]:
    """Feed-forward widths and experts. Dense layers are counted wherever they are."""
    blocks = [layer.block for layer in stack.layers if layer.block.parameters]
    mixed = next((block for block in blocks if block.experts > 1), None)
    plain = next((block for block in blocks if block.experts == 1), None)
    first = mixed or plain
    if first is None:
        return {}
    found: dict[str, Any] = {"ffn_hidden": first.width, "gated": first.gated}
    if mixed is None:
        return found
    found |= {
        "experts": mixed.experts,
        "experts_per_token": mixed.chosen,
        "shared_experts": mixed.shared,
        "dense_layers": _dense_layers(stack),
        **({"expert_hidden": mixed.inner} if mixed.inner else {}),
    }
    if plain is not None:
        found["dense_ffn_hidden"] = plain.width
    return found


def _dense_layers(stack: Stack) -> int:
    """Number of layers without experts."""
    return sum(layer.block.experts == 1 for layer in stack.layers)


def attention_kind(stack: Stack) -> str:
    """Option of the input `attention` that fits the stack."""
    if stack.count("latent"):
        return "mla"
    if stack.count("compressed"):
        return "compressed"
    if stack.count("window"):
        return "hybrid"
    heads = stack.heads
    return "mha" if heads.kv_heads == heads.heads else "mqa" if heads.kv_heads == 1 else "gqa"


def _of_attention(stack: Stack) -> dict[str, Any]:
    """Attention kind, layers with attention, window and share of full-attention layers, compressed values, state.

    Layers that reuse another layer's keys and values cache none of their own.
    """
    found: dict[str, Any] = {"attention": attention_kind(stack)}
    keeping = [layer.mixer for layer in stack.layers if layer.mixer.cached]
    if len(keeping) < len(stack.layers):
        found["attention_layers"] = len(keeping)
    windows = {mixer.window for mixer in keeping if mixer.window}
    if windows:
        everything = sum(mixer.kind == "global" for mixer in keeping)
        found |= {"window": max(windows), "global_layer_share": everything / len(keeping)}
    compressed = sum(layer.mixer.compressed for layer in stack.layers)
    entries = _window_entry_ratio(stack)
    return (
        found
        | ({"window_entry_ratio": entries} if entries is not None else {})
        | ({"compressed_values": compressed} if compressed else {})
        | ({"state_per_sequence": stack.state} if stack.state else {})
    )


def _of_mixers(stack: Stack) -> dict[str, Any]:
    """Parameters of all mixers where layers differ in them, and layers with a feed-forward block where not all have."""
    sizes = [layer.mixer.parameters for layer in stack.layers]
    blocks = sum(layer.block.parameters > 0 for layer in stack.layers)
    found = {"mixer_parameters": sum(sizes)} if len({*sizes}) > 1 else {}
    return found | ({"block_layers": blocks} if blocks < len(sizes) else {})


def _window_entry_ratio(stack: Stack) -> float | None:
    """Mean KV entry of sliding-window layers ÷ that of full-attention layers; None where they are equal."""
    far = [layer.mixer.cached for layer in stack.layers if layer.mixer.kind == "global" and layer.mixer.cached]
    near = [layer.mixer.cached for layer in stack.layers if layer.mixer.kind == "window" and layer.mixer.cached]
    if not far or not near or len({*far, *near}) == 1:
        return None
    return sum(near) / len(near) * len(far) / sum(far)
