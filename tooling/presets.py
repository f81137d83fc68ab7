"""Presets: `python -m tooling.presets FOLDER` writes facts/models/imported-models.toml from config.json files.

FOLDER holds copies of published configurations as AIConfigurator ships them, publisher--model_config.json, and those
written from another source, which the list names. Each is read by the reader that pages and command line use. What its
dimensions do not count to the parameter is stated whole.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from builder.paths import ROOT
from calculators import configuration
from calculators.answers.input_state import parse_inputs
from calculators.catalog import CALCULATORS
from calculators.configuration import Configuration, dimensions
from calculators.configuration.stack import Stack

TARGET = ROOT / "calculators/facts/models/imported-models.toml"
READ_ON = "2026-11-29"
_FP8, _FP4, _INT4, _BF16 = 1.0, 0.5 + 1 / 32, 0.5 + 2 / 32, 2.0
_HEAD = """\
# Written by `python -m tooling.presets` from published configurations: dimensions of models as config.json has them.
# parameters, active_parameters: counted by the reader of configurations, tables included, without encoders and without
#   layers that predict further tokens. whole_parameters, whole_active: the same, where the dimensions alone count
#   something else: less than 0.1% in norms of other widths, biases of experts and connections between layers.
# mixer_parameters: attention and states of all layers, where layers differ. block_layers: with a feed-forward block.
# attention_layers: those that keep every token. window_entry_ratio: an entry of a window layer over a global one's.
# weight_bytes: only where the published weights are not bf16, from the quantization that the file names.
"""
_BY_HAND = "step_range = "  # how far published runs of this model were off
_COUNTING = (
    ("norms_per_layer", (2, 1, 4)),
    ("qk_norm", ("no", "yes")),
    ("biases", ("usual", "none", "attention", "all")),
)


@dataclass(frozen=True, kw_only=True)
class Published:
    """A configuration that becomes a preset: its file, its key and names, and how wide its published weights are.

    `place` is where in `source` the dimensions are, if not in the file.
    """

    key: str
    name: str
    vendor: str
    file: str
    experts_in: float | None = None
    rest_in: float | None = None
    source: str = "aiconfigurator-models"
    place: str = ""


def _preset(
    key: str, name: str, vendor: str, file: str, experts_in: float | None = None, rest_in: float = _BF16
) -> Published:
    return Published(
        key=key, name=name, vendor=vendor, file=file, experts_in=experts_in, rest_in=rest_in if experts_in else None
    )


def _from(published: Published, source: str, place: str) -> Published:
    return replace(published, source=source, place=place)


MODELS = (
    _preset("llama-4-scout", "Llama 4 Scout", "Meta", "meta-llama--Llama-4-Scout-17B-16E-Instruct"),
    _preset("llama-4-maverick", "Llama 4 Maverick", "Meta", "meta-llama--Llama-4-Maverick-17B-128E-Instruct"),
    _preset("qwen3-0-6b", "Qwen3 0.6B", "Alibaba", "Qwen--Qwen3-0.6B"),
    _preset("qwen3-1-7b", "Qwen3 1.7B", "Alibaba", "Qwen--Qwen3-1.7B"),
    _preset("qwen3-vl-4b", "Qwen3-VL 4B (text)", "Alibaba", "Qwen--Qwen3-VL-4B-Instruct"),
    _preset("qwen3-30b-a3b", "Qwen3 30B-A3B", "Alibaba", "Qwen--Qwen3-30B-A3B"),
    _preset("qwen3-coder-480b-a35b", "Qwen3-Coder 480B-A35B", "Alibaba", "Qwen--Qwen3-Coder-480B-A35B-Instruct"),
    _preset("qwen3-5-27b", "Qwen3.5, 3.6, 3.8 27B (text)", "Alibaba", "Qwen--Qwen3.5-27B"),
    _preset("qwen3-5-35b-a3b", "Qwen3.5, 3.6 35B-A3B (text)", "Alibaba", "Qwen--Qwen3.5-35B-A3B"),
    _preset("qwen3-5-122b-a10b", "Qwen3.5 122B-A10B (text)", "Alibaba", "Qwen--Qwen3.5-122B-A10B"),
    _preset("qwen3-5-397b-a17b", "Qwen3.5 397B-A17B (text)", "Alibaba", "Qwen--Qwen3.5-397B-A17B"),
    _from(
        _preset("qwen3-8-2-4t-a95b", "Qwen3.8 2.4T-A95B", "Alibaba", "Qwen--Qwen3.8-2.4T-A95B"),
        "qwen3-8-torchtitan",
        "_qwen3_8_2_4t_a95b",
    ),
    _preset("gemma-4-26b-a4b", "Gemma 4 26B-A4B (text)", "Google", "google--gemma-4-26B-A4B"),
    _preset("gemma-4-31b", "Gemma 4 31B (text)", "Google", "nvidia--Gemma-4-31B-IT-NVFP4"),
    _preset("deepseek-r1", "DeepSeek-R1", "DeepSeek", "deepseek-ai--DeepSeek-R1", _FP8, _FP8),
    _preset("deepseek-v3-2", "DeepSeek-V3.2", "DeepSeek", "deepseek-ai--DeepSeek-V3.2", _FP8, _FP8),
    _preset("deepseek-v4-flash", "DeepSeek-V4-Flash", "DeepSeek", "deepseek-ai--DeepSeek-V4-Flash", _FP4, _FP8),
    _preset("deepseek-v4-pro", "DeepSeek-V4-Pro", "DeepSeek", "deepseek-ai--DeepSeek-V4-Pro", _FP4, _FP8),
    _preset("kimi-k2-5", "Kimi K2.5, K2.6, K2.7 (text)", "Moonshot AI", "moonshotai--Kimi-K2.5", _INT4),
    _preset("kimi-k3", "Kimi K3 (text)", "Moonshot AI", "moonshotai--Kimi-K3", _FP4),
    _preset("minimax-m2-5", "MiniMax-M2.5", "MiniMax", "MiniMaxAI--MiniMax-M2.5", _FP8, _FP8),
    _preset("minimax-m2-7", "MiniMax-M2.7", "MiniMax", "MiniMaxAI--MiniMax-M2.7", _FP8, _FP8),
    _preset("minimax-m3", "MiniMax-M3", "MiniMax", "MiniMaxAI--MiniMax-M3"),
    _preset("mimo-7b", "MiMo 7B", "Xiaomi", "XiaomiMiMo--MiMo-7B-Base"),
    _preset("mimo-v2-flash", "MiMo-V2-Flash", "Xiaomi", "XiaomiMiMo--MiMo-V2-Flash", _FP8, _FP8),
    _from(
        _preset("step-3-7-flash", "Step-3.7-Flash (text)", "StepFun", "stepfun-ai--Step-3.7-Flash"),
        "step-3-7-classes",
        "Step3p7TextConfig",
    ),
    _preset("gpt-oss-20b", "gpt-oss-20b", "OpenAI", "openai--gpt-oss-20b", _FP4),
    _preset("glm-5", "GLM-5", "Z.ai", "zai-org--GLM-5"),
    _preset("glm-5-1", "GLM-5.1", "Z.ai", "zai-org--GLM-5.1"),
    _preset("glm-5-2", "GLM-5.2", "Z.ai", "zai-org--GLM-5.2"),
    _preset("nemotron-h-56b", "Nemotron-H 56B", "NVIDIA", "nvidia--Nemotron-H-56B-Base-8K"),
    _preset("nemotron-3-nano", "Nemotron 3 Nano 30B-A3B", "NVIDIA", "nvidia--NVIDIA-Nemotron-3-Nano-30B-A3B-BF16"),
    _preset(
        "nemotron-3-super",
        "Nemotron 3 Super 120B-A12B",
        "NVIDIA",
        "nvidia--NVIDIA-Nemotron-3-Super-120B-A12B-FP8",
        _FP8,
        _FP8,
    ),
    _preset(
        "nemotron-3-ultra", "Nemotron 3 Ultra 550B-A55B", "NVIDIA", "nvidia--NVIDIA-Nemotron-3-Ultra-550B-A55B-BF16"
    ),
)


def record(published: Published, found: Configuration) -> dict[str, Any]:
    """The fields of a preset: dimensions, counts, and what of the counts the dimensions do not give."""
    stack = found.stack
    fields = dict(dimensions.dimensions(found))
    fields.setdefault("experts", 1)
    fields.setdefault("experts_per_token", 1)
    for name in ("weight_bytes", "arithmetic"):
        fields.pop(name, None)
    counting = _counting(fields)
    if counting is None:
        fields["mixer_parameters"] = sum(layer.mixer.parameters for layer in stack.layers)
        counting = _counting(fields)
    if counting is None:
        fields |= {"whole_parameters": stack.parameters, "whole_active": stack.active}
    else:
        fields |= counting
    if published.experts_in is not None and published.rest_in is not None:
        fields["weight_bytes"] = _width(stack, published.experts_in, published.rest_in)
    return fields


def _width(stack: Stack, experts_in: float, rest_in: float) -> float:
    """Bytes of a weight in the mean [B/parameter]."""
    routed = sum(layer.block.experts * layer.block.one for layer in stack.layers if layer.block.experts > 1)
    return round((routed * experts_in + (stack.parameters - routed) * rest_in) / stack.parameters, 3)


def _counting(fields: dict[str, Any]) -> dict[str, Any] | None:
    """Norms and biases with which the dimensions count to the parameter; nothing where none do."""
    calculator = CALCULATORS["kv_cache"]
    sizes = {"parameters", "active_parameters"}
    texts = {name: _text(value) for name, value in fields.items() if name in calculator.inputs and name not in sizes}
    (norms, many), (qk, switches), (biases, options) = _COUNTING
    for number in many:
        for switch in switches:
            for option in options:
                more = {norms: str(number), qk: switch, biases: option}
                counted = parse_inputs(calculator, {"model": "none", **texts, **more}).values
                if all(round(counted[size]) == fields[size] for size in sizes):
                    usual = {norms: 2, qk: False, biases: "usual"}
                    report = {norms: number, qk: switch == "yes", biases: option}
                    return {name: value for name, value in report.items() if value != usual[name]}
    return None


def _text(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _lines(published: Published, fields: dict[str, Any]) -> list[str]:
    lines = [
        f"[{published.key}]",
        f"name = {json.dumps(published.name)}",
        f"vendor = {json.dumps(published.vendor)}",
        'kind = "published"',
        f"source = {json.dumps(published.source)}",
        f"where = {json.dumps(published.place or f'{published.file}_config.json')}",
        f"read_on = {READ_ON}",
    ]
    derived = {"parameters", "active_parameters", "whole_parameters", "whole_active"}
    derived |= {"attention_width", "mixer_parameters"}
    for name, value in fields.items():
        if name in derived:
            lines.append(f'{name} = {{ value = {value}, kind = "derived" }}')
        elif name == "state_per_sequence":
            lines.append(f'{name} = {{ value = {value}, unit = "B", kind = "derived" }}')
        elif name == "weight_bytes":
            lines.append(f'{name} = {{ value = {value}, unit = "B/parameter", kind = "derived" }}')
        else:
            lines.append(f"{name} = {json.dumps(value)}")
    return lines


def by_hand() -> dict[str, list[str]]:
    """Lines of the file as it is that no configuration gives, by the key of their record."""
    found: dict[str, list[str]] = {}
    key = ""
    for line in TARGET.read_text("utf-8").splitlines():
        if line.startswith("["):
            key = line.strip("[]")
        elif line.startswith(_BY_HAND):
            found.setdefault(key, []).append(line)
    return found


def main(folder: Path) -> None:
    """Write the file; lines written by hand stay."""
    blocks, stated = [_HEAD], by_hand()
    for published in MODELS:
        found = configuration.read((folder / f"{published.file}_config.json").read_text("utf-8"))
        lines = [*_lines(published, record(published, found)), *stated.get(published.key, ())]
        blocks.append("\n".join(lines) + "\n")
    TARGET.write_text("\n".join(blocks), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
