"""The reader of configurations against transformers' own classes: the same configuration, every parameter counted.

Run by `make test-transformers` in an environment of its own. Models are built on the meta device, so nothing is
allocated. Each family gets random small configurations; the named ones of tests/configuration are built as they are.
With a key less a configuration is read with the default of transformers' class, or refused: files are saved without
what is usual.
"""

import json
import logging
import os
import random
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from calculators import configuration
from tooling.transformers.random_dense import DENSE
from tooling.transformers.random_mixtures import MIXTURES
from tooling.transformers.random_states import LATENTS_AND_STATES

os.environ["TRANSFORMERS_VERBOSITY"] = "error"
NAMED = Path(__file__).parents[2] / "tests" / "configuration" / "configurations.json"
_EACH = 8
_STANDS_FOR = {
    "mimo": "qwen2",
    "kimi_k2": "deepseek_v3",
    "minimax_m1": "minimax",
}
"""Families that transformers does not have, built by its class for the same layers."""
_NOT_THERE = {"deepseek", "internlm2", "bailing_moe"}
"""Families whose code is next to their weights alone: nothing here to compare them with."""
_UNDER_AN_ENCODER = {"glm4v_text", "glm4v_moe_text", "mistral4", "qwen3_vl_text", "qwen3_vl_moe_text"}
"""Families that it builds without an output layer, which is added by hand: as large as the table where not tied."""

Given = dict[str, Any]
Pick = Callable[..., Any]


def _common(dice: random.Random, layers: int) -> Given:
    heads = dice.choice([4, 8, 12])
    shared = dice.choice([one for one in (1, 2, 4, heads) if heads % one == 0])
    return {
        "hidden_size": heads * 16 * dice.choice([1, 2]),
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": shared,
        "intermediate_size": dice.choice([96, 128, 200]),
        "vocab_size": dice.choice([320, 500]),
        "tie_word_embeddings": dice.choice([True, False]),
    }


CHOICES: Mapping[str, Mapping[str, list[Any]]] = {**DENSE, **MIXTURES, **LATENTS_AND_STATES}


_LAYERS = {"gemma3n_text": 10, "gemma4_text": 12, "gemma4_unified_text": 12}
_NULL_SAYS_SOMETHING = {"sliding_window", "q_lora_rank", "mamba_d_ssm"}
_WITHOUT: Mapping[str, tuple[str, ...]] = {
    "opt": ("num_key_value_heads", "intermediate_size"),
    "falcon": ("num_key_value_heads", "intermediate_size"),
    "gpt_neox": ("num_key_value_heads",),
    "nemotron_h": ("num_hidden_layers", "tie_word_embeddings"),
    "gpt2": ("num_key_value_heads", "intermediate_size"),
    "bloom": ("num_key_value_heads", "intermediate_size"),
    **dict.fromkeys(("gptj", "codegen", "gpt_bigcode"), ("num_key_value_heads", "intermediate_size")),
    **dict.fromkeys(("mpt", "dbrx"), ("num_key_value_heads", "intermediate_size")),
    "gpt_neo": ("num_key_value_heads", "num_attention_heads"),
    "solar_open": ("intermediate_size",),
    **dict.fromkeys(
        ("mamba", "mamba2", "falcon_mamba"), ("num_key_value_heads", "num_attention_heads", "intermediate_size")
    ),
}
_OLD_NAMES = {"hidden_size": "n_embd", "num_hidden_layers": "n_layer", "num_attention_heads": "n_head"}
_MOSAIC_NAMES = {"hidden_size": "d_model", "num_hidden_layers": "n_layers", "num_attention_heads": "n_heads"}
_RENAMED: Mapping[str, Mapping[str, str]] = {
    **dict.fromkeys(("gpt2", "gptj", "codegen", "gpt_bigcode"), _OLD_NAMES),
    **dict.fromkeys(("mpt", "dbrx"), _MOSAIC_NAMES),
    "gpt_neo": {"num_hidden_layers": "num_layers"},
    "exaone": {"num_hidden_layers": "num_layers"},
    "bloom": {"num_hidden_layers": "n_layer", "num_attention_heads": "n_head"},
}


def drawn(family: str, dice: random.Random) -> Given:
    """A random small configuration of a family."""
    given = _common(dice, _LAYERS.get(family, 6)) | {
        name: dice.choice(values) for name, values in CHOICES[family].items()
    }
    if given["num_attention_heads"] % given["num_key_value_heads"]:
        given["num_key_value_heads"] = 1
    unwanted, names = _WITHOUT.get(family, ()), _RENAMED.get(family, {})
    return {"model_type": family} | {
        names.get(name, name): value
        for name, value in given.items()
        if name not in unwanted and (value is not None or name in _NULL_SAYS_SOMETHING)
    }


def built(given: Mapping[str, Any]) -> tuple[Any, int]:
    """The model that transformers' class makes of this configuration, and how many parameters it has."""
    import torch  # noqa: PLC0415  both are heavy, and only here
    from transformers import AutoModel, AutoModelForCausalLM  # noqa: PLC0415
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: PLC0415

    family = _STANDS_FOR.get(given["model_type"], given["model_type"])
    wanted = {name: value for name, value in given.items() if name != "model_type"}
    if listed := wanted.pop("attn_type_list", None):  # as published; its class reads layer_types alone
        wanted["layer_types"] = ["full_attention" if one else "linear_attention" for one in listed]
    config = CONFIG_MAPPING[family](**wanted | {"pad_token_id": 0})
    with torch.device("meta"):
        if family in _UNDER_AN_ENCODER:
            model = AutoModel.from_config(config)
            own = 0 if wanted.get("tie_word_embeddings") else config.vocab_size * config.hidden_size
            return model, int(model.num_parameters()) + own
        model = AutoModelForCausalLM.from_config(config)
    return model, int(model.num_parameters())


def _report(name: str, given: Mapping[str, Any]) -> str:
    """Differences of one configuration; empty where both counts agree."""
    try:
        _, theirs = built(given)
    except Exception as error:  # noqa: BLE001  whatever its classes raise for a configuration they cannot build
        return f"{name}: not built by transformers ({str(error)[:200]}) {given}"
    try:
        ours = configuration.of_table(given).stack.parameters
    except configuration.ConfigurationError as error:
        return f"{name}: refused ({error}); transformers counts {theirs:,}"
    return "" if ours == theirs else f"{name}: {ours:,}, transformers {theirs:,} ({ours - theirs:+,}) {given}"


def _told_of_less(name: str, given: Mapping[str, Any]) -> str:
    """Differences of a configuration with a key less, which may be refused, or be none that transformers can build."""
    try:
        configuration.of_table(given)
    except configuration.ConfigurationError:
        return ""
    found = _report(name, given)
    return "" if "not built" in found else found


def _with_a_key_less() -> list[tuple[str, Given]]:
    """A random configuration of each family without each of its keys."""
    found = []
    for family in CHOICES:
        given = drawn(family, random.Random(family))  # noqa: S311  no secret
        keys = given.keys() - {"model_type"}
        found += [(f"{family} without {one}", {k: v for k, v in given.items() if k != one}) for one in sorted(keys)]
    return found


def main() -> int:
    """Count all; print what disagrees and how many agree."""
    logging.disable(logging.ERROR)
    wanted = sys.argv[1:]
    published = [(one["name"], one["config"]) for one in json.loads(NAMED.read_text("utf-8"))]
    named = [one for one in published if one[1]["model_type"] not in _NOT_THERE]
    by_chance = [
        (f"{family} {number}", drawn(family, random.Random(f"{family}{number}")))  # noqa: S311  no secret
        for family in CHOICES
        for number in range(_EACH)
    ]
    wrong = 0
    for title, configurations, tell in (
        ("named", named, _report),
        ("random", by_chance, _report),
        ("with a key less", _with_a_key_less(), _told_of_less),
    ):
        chosen = [(name, given) for name, given in configurations if not wanted or given["model_type"] in wanted]
        reports = [found for name, given in chosen if (found := tell(name, given))]
        sys.stdout.writelines(f"{one}\n" for one in reports)
        sys.stdout.write(f"{title}: {len(chosen) - len(reports)} of {len(chosen)} agree to the parameter\n")
        wrong += len(reports)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
