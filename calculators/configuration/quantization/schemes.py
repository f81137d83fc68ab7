"""Quantization methods: bytes per weight with scales, modules not converted, and bits of matrix products.

Read from `quantization_config` as Transformers, vLLM and ModelOpt write it: fp8, fbgemm_fp8, mxfp4, compressed-tensors,
modelopt, quark, awq, gptq, auto-round and bitsandbytes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from calculators.configuration.quantization.modules import Module
from calculators.configuration.quantization.patterns import Matcher, matcher

WIDE = 2.0
"""Bytes of a weight that is not converted [B]: 16 bits."""
_BYTE = 8
_SCALE_16, _SCALE_32 = 2, 4
_MX_GROUP, _NV_GROUP, _BNB_BLOCK, _BNB_NESTED = 32, 16, 64, 256
_MXFP4, _NVFP4, _MXFP8 = 0.5 + 1 / _MX_GROUP, 0.5 + 1 / _NV_GROUP, 1 + 1 / _MX_GROUP
_ALGORITHMS = (
    *(("NVFP4", _NVFP4), ("MXFP4", _MXFP4), ("MXFP8", _MXFP8), ("FP8", 1.0)),
    *(("W4", 0.5 + _SCALE_16 / 128), ("INT4", 0.5 + _SCALE_16 / 128), ("W8", 1.0), ("INT8", 1.0)),
)
_KEPT = ("modules_to_not_convert", "ignored_layers", "llm_int8_skip_modules")


@dataclass(frozen=True, kw_only=True)
class Scheme:
    """Quantization of a file: `default` bytes per weight, rules for named modules, and modules kept in 16 bits.

    `everywhere` includes the output layer; `routed_only` leaves out all but routed experts, which `routed` may give
    another width.
    """

    method: str
    default: float = WIDE
    routed: float | None = None
    rules: Sequence[tuple[Matcher, float]] = ()
    kept: Matcher = field(default_factory=lambda: matcher(()))
    everywhere: bool = False
    routed_only: bool = False
    arithmetic: str = ""
    narrow_cache: bool = False
    known: bool = True

    def width(self, module: Module) -> float:
        """Bytes per weight of a module [B/parameter]."""
        for covers, width in self.rules:
            if covers(module.names):
                return width
        converted = module.kind == "routed" or not self.routed_only
        reached = module.kind != "embedding" and (module.kind != "output" or self.everywhere)
        if not converted or not reached or self.kept(module.names):
            return WIDE
        return self.routed if self.routed is not None and module.kind == "routed" else self.default


def scheme(given: Mapping[str, Any], *, expert_dtype: str = "") -> Scheme:
    """Scheme of a `quantization_config`. `expert_dtype` is that of DeepSeek-V4, whose experts have four bits."""
    inner = given.get("quantization")
    table = {**given, **inner} if isinstance(inner, dict) else dict(given)
    method = str(table.get("quant_method") or "").lower().replace("_", "-")
    producer = table.get("producer")
    made_by = str(producer.get("name") or "") if isinstance(producer, dict) else ""
    if table.get("quant_algo") or made_by == "modelopt":
        return _modelopt(table, method)
    if method in {"fp8", "fbgemm-fp8"}:
        return _fp8(table, expert_dtype)
    if "load_in_4bit" in table:
        return _bitsandbytes(table, method)
    return _READERS.get(method, _grouped)(table, method)


def _mxfp4(table: Mapping[str, Any], method: str) -> Scheme:
    """Transformers' mxfp4: routed experts alone, four bits in groups of 32."""
    return Scheme(method=method, default=_MXFP4, kept=matcher(_listed(table, *_KEPT)), routed_only=True)


def _modelopt(table: Mapping[str, Any], method: str) -> Scheme:
    """NVIDIA ModelOpt: one algorithm for all, or one for each named module over a base."""
    algorithm = str(table.get("quant_algo") or "")
    named = table.get("quantized_layers")
    rules = _by_width(
        {name: _of_algorithm(one.get("quant_algo")) for name, one in named.items() if isinstance(one, dict)}
        if isinstance(named, dict)
        else {}
    )
    over = method in {"fp8", "fbgemm-fp8"} and bool(rules)
    kept = _listed(table, *_KEPT) if over else _listed(table, "exclude_modules", "ignore", *_KEPT)
    default = _of_algorithm(algorithm)
    if over:
        default = 1 + _block_scales(table)
    weights_only = "A16" in algorithm or algorithm in {"MXFP8", "FP8_PB_WO"}
    return Scheme(
        method=f"modelopt {algorithm}".strip(),
        default=WIDE if default is None else default,
        rules=rules,
        kept=matcher(kept),
        arithmetic="16" if weights_only else "",
        narrow_cache=_narrow_cache(table),
        known=default is not None or bool(rules),
    )


def _of_algorithm(name: object) -> float | None:
    """Bytes per weight of an algorithm of ModelOpt; None where it is not known."""
    return next((width for word, width in _ALGORITHMS if word in str(name or "").upper()), None)


def _by_width(named: Mapping[str, float | None]) -> list[tuple[Matcher, float]]:
    widths = sorted({width for width in named.values() if width is not None})
    return [(matcher(name for name, one in named.items() if one == width), width) for width in widths]


def _fp8(table: Mapping[str, Any], expert_dtype: str) -> Scheme:
    """FP8 in blocks or by channel; DeepSeek-V4's experts have four bits, in groups of 32."""
    four = expert_dtype.lower() in {"fp4", "mxfp4"}
    return Scheme(
        method=f"{table['quant_method']}{', experts in mxfp4' if four else ''}",
        default=1 + _block_scales(table),
        routed=_MXFP4 if four else None,
        kept=matcher(_listed(table, *_KEPT)),
        arithmetic="8" if four else "",
    )


def _block_scales(table: Mapping[str, Any]) -> float:
    """Bytes of scales per weight: one for each block, of 32 bits or an exponent alone."""
    block = table.get("weight_block_size")
    if not isinstance(block, list) or len(block) != 2 or not all(isinstance(one, int) and one > 0 for one in block):  # noqa: PLR2004
        return 0
    return (1 if table.get("scale_fmt") == "ue8m0" else _SCALE_32) / float(block[0] * block[1])


def _compressed_tensors(table: Mapping[str, Any], method: str) -> Scheme:
    """compressed-tensors: groups of targets, each with its weights' bits and scales."""
    groups = table.get("config_groups")
    found = [one for one in groups.values() if isinstance(one, dict)] if isinstance(groups, dict) else []
    rules, default, activations = [], None, False
    for group in found:
        width = _of_weights(group.get("weights"))
        targets = [str(one) for one in group.get("targets") or ()]
        activations = activations or bool(group.get("input_activations"))
        if width is None:
            continue
        if "Linear" in targets or not targets:
            default = width
        else:
            rules.append((matcher(targets), width))
    kept = matcher(_listed(table, "ignore"))
    return Scheme(
        method=f"{method} {table.get('format') or ''}".strip(),
        default=WIDE if default is None else default,
        rules=[(_unless(covers, kept), width) for covers, width in rules],
        kept=kept,
        everywhere=True,
        arithmetic="" if activations else "16",
        narrow_cache=_narrow_cache(table),
        known=default is not None or bool(rules),
    )


def _unless(covers: Matcher, kept: Matcher) -> Matcher:
    return lambda names: covers(names) and not kept(names)


def _of_weights(weights: object) -> float | None:
    """Bytes per weight of a group [B/parameter], scales and zero points included; None without bits."""
    if not isinstance(weights, dict) or not _is_bits(weights.get("num_bits")):
        return None
    bits = float(weights["num_bits"])
    group = weights.get("group_size")
    if not isinstance(group, int) or group <= 0:
        return bits / _BYTE + _block_scales({"weight_block_size": weights.get("block_structure")})
    exponents = "8" in str(weights.get("scale_dtype") or "") or weights.get("type") == "float"
    zeros = 0 if weights.get("symmetric", True) else bits / _BYTE
    return bits / _BYTE + ((1 if exponents else _SCALE_16) + zeros) / group


def _quark(table: Mapping[str, Any], method: str) -> Scheme:
    """AMD Quark: one configuration for all layers, others by pattern."""
    whole = table.get("global_quant_config")
    named = table.get("layer_quant_config")
    default = _of_quark(whole)
    layers = named if isinstance(named, dict) else {}
    activations = isinstance(whole, dict) and bool(whole.get("input_tensors"))
    return Scheme(
        method=method,
        default=WIDE if default is None else default,
        rules=_by_width({name: _of_quark(one) for name, one in layers.items()}),
        kept=matcher(_listed(table, "exclude")),
        everywhere=True,
        arithmetic="" if activations else "16",
        narrow_cache=bool(table.get("kv_cache_quant_config")),
        known=default is not None,
    )


def _of_quark(given: object) -> float | None:
    weights = given.get("weight") if isinstance(given, dict) else None
    if not isinstance(weights, dict):
        return None
    name = str(weights.get("dtype") or "")
    bits = next((number for word, number in (("4", 4), ("6", 6), ("8", _BYTE)) if word in name), None)
    if name.startswith("fp8"):
        bits = _BYTE
    kind = "float" if name.startswith(("fp", "mx")) else "int"
    grouped = {"group_size": weights.get("group_size"), "symmetric": weights.get("symmetric") is not False}
    return _of_weights({"num_bits": bits, "type": kind, **grouped})


def _bitsandbytes(table: Mapping[str, Any], _: str) -> Scheme:
    """bitsandbytes: NF4 or FP4 in blocks of 64, whose constants may be quantized too, or LLM.int8()."""
    four = bool(table.get("load_in_4bit", table.get("_load_in_4bit")))
    nested = 1 / _BNB_BLOCK + _SCALE_32 / (_BNB_BLOCK * _BNB_NESTED)
    constants = nested if table.get("bnb_4bit_use_double_quant") else _SCALE_32 / _BNB_BLOCK
    return Scheme(
        method=f"bitsandbytes {table.get('bnb_4bit_quant_type') or '4 bits'}" if four else "bitsandbytes int8",
        default=1 / 2 + constants if four else 1.0,
        kept=matcher(_listed(table, *_KEPT)),
        arithmetic="16" if four else "",
    )


def _grouped(table: Mapping[str, Any], method: str) -> Scheme:
    """AWQ, GPTQ and other methods that name bits and a group size; GPTQ and Auto-Round store zero points always."""
    bits, group = table.get("bits", table.get("w_bit")), table.get("group_size", table.get("q_group_size"))
    if not _is_bits(bits):
        return Scheme(method=method or "without a method", known=False)
    zeros = method in {"gptq", "auto-round"} or table.get("zero_point") is True
    weights = {"num_bits": bits, "type": "int", "group_size": group, "symmetric": not zeros}
    dynamic = table.get("dynamic")
    others = dynamic if isinstance(dynamic, dict) else {}
    skipped = [f"re:{one.removeprefix('-:')}" for one in others if str(one).startswith("-:")]
    own = {
        f"re:{name.removeprefix('+:')}": _of_weights({**weights, "num_bits": one.get("bits", bits)})
        for name, one in others.items()
        if not str(name).startswith("-:") and isinstance(one, dict)
    }
    extra = table.get("extra_config")
    own |= {
        str(name): _of_weights({**weights, "num_bits": one.get("bits", bits)})
        for name, one in (extra.items() if isinstance(extra, dict) else ())
        if isinstance(one, dict)
    }
    return Scheme(
        method=f"{method} {bits} bits".strip(),
        default=_of_weights(weights) or WIDE,
        rules=_by_width(own),
        kept=matcher([*_listed(table, *_KEPT), *skipped]),
        everywhere=table.get("lm_head") is True,
        arithmetic="16",
    )


def _listed(table: Mapping[str, Any], *names: str) -> list[Any]:
    """Entries of all lists under these names."""
    return list(chain.from_iterable(one for name in names if isinstance(one := table.get(name), list)))


def _narrow_cache(table: Mapping[str, Any]) -> bool:
    """Whether the file names an 8-bit KV cache."""
    named = table.get("kv_cache_quant_algo") or table.get("kv_cache_scheme")
    return named.get("num_bits") == _BYTE if isinstance(named, dict) else "8" in str(named or "")


def _is_bits(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= 2 * _BYTE


_READERS: Mapping[str, Callable[[Mapping[str, Any], str], Scheme]] = {
    "modelopt": _modelopt,
    "mxfp4": _mxfp4,
    "compressed-tensors": _compressed_tensors,
    "quark": _quark,
    "bitsandbytes": _bitsandbytes,
}
