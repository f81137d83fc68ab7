"""Units: results follow the units of their arguments, and factors of units agree with those of Pint."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any

import pint
import pytest

from calculators import units
from calculators.declare import AnyFormula, Calculator, Choice, Formula, Verdict
from tests.derived.test_properties import STEPS, known_states
from tests.each import each

TIME_CONSTANTS = {"MONTH": "s", "MINUTE": "s", "HOUR": "s", "DAY": "s", "YEAR": "s", "GIB": "B"}
SCALED = ("data", "time", "energy", "money", "mass", "flop", "volume", "temperature", "current", "length")
# Formulas that contain a number with a unit: 6 FLOPs per parameter, a save of 51 s, what a kind of cooling carries.
NUMBERS_WITH_UNITS: frozenset[tuple[str, str]] = frozenset(
    (name, "flop")
    for name in (
        "attention_share",
        "causal_attention_flops",
        "causal_flops_per_token",
        "full_flops_per_token",
        "mfu_without_attention",
        "model_flops_per_token",
    )
) | {
    ("typical_time_to_safe", "time"),
    ("quantized_memory", "data"),  # a byte for each parameter
    ("largest_gather", "data"),  # two bytes of a table's values beyond those of frozen weights
    ("stored_for_gpus", "data"),  # a terabyte, and 50 GB a month, for each GPU
    *(("egress_for_gpus", dimension) for dimension in ("data", "time")),
    ("usual_frozen_bytes", "data"),  # two bytes of what stays in 16 bits
    *((f"frozen_{which}_flops", "flop") for which in ("parameter", "product")),  # two FLOPs for a product
    *(
        (name, dimension)
        for name in ("usual_cooling_limit", "heat_btu_per_hour", "cooling_tons")
        for dimension in ("energy", "time")
    ),
    # NCCL's constants: latencies of hops, ceilings of protocols, corrections by size; six FLOPs for each parameter.
    *((f"{way}_latency", "time") for way in ("ring_ll", "ring_ll128", "ring_simple", "tree_ll", "tree_ll128")),
    *((name, "time") for name in ("tree_simple_latency", "nvls_latency", "sharp_latency", "direct_latency")),
    *((name, "data") for name in ("tree_simple_time", "weight_slab")),
    *((name, "flop") for name in ("compute_time", "layout_mfu")),
    *(("ll_limit", dimension) for dimension in ("data", "time")),
    ("post_time", "time"),
    # Prices by tier: so many dollars for each byte up to so many bytes.
    *((name, dimension) for name in ("tiered_storage_price", "tiered_egress_price") for dimension in ("data", "money")),
    ("tiered_storage_price", "time"),
    # The cheapest placement is searched among media as they are listed, whatever is typed for the present ones.
    *(("cheapest_bill", dimension) for dimension in ("data", "time", "energy", "money")),
    # Serving: usual latencies and rates; two bytes of what stays in 16 bits; two and four FLOPs for a product.
    *((name, "time") for name in ("typical_layer_latency", "typical_allreduce_latency", "typical_offload_bandwidth")),
    ("typical_offload_capacity", "data"),  # terabytes of a node
    ("storage_nodes_power", "energy"),  # watts of a drive
    ("storage_nodes_power", "time"),
    *(
        (name, "data")
        for name in ("product_bits", "token_allreduce_time", "typical_offload_bandwidth", "extra_output_layer_read")
    ),
    # Bytes of a value; a byte or two.
    *((name, "data") for name in ("expert_traffic_time", "attention_flops_rate")),
    *((name, "flop") for name in ("prompt_attention_flops", "prefill_flops", "sequence_flops", "token_compute_time")),
    ("expert_compute_time", "flop"),
    *(("speed_overstated", dimension) for dimension in ("data", "time")),
    ("wide_table_memory", "data"),
    # Bytes of a cached value in NVFP4
    *((name, "data") for name in ("targets_met", "enough_replicas", "offload_pays_off", "replica_failure")),
    # Post-training: two, six and eight FLOPs for a parameter; bytes of frozen parameters, logits, and what is reserved.
    *((name, "flop") for name in ("policy_flops", "critic_flops", "rollout_prefill_rate")),
    *(
        (name, "data")
        for name in (
            *("rl_frozen_memory", "rl_activation_memory", "generating_memory", "training_phase_memory"),
            *("trainer_model_memory", "fewest_train_gpus"),
        )
    ),
    # Retrieval: two FLOPs for a product, neighbors and centroids of four bytes, sectors; a search on a GPU.
    ("embedder_rate", "flop"),
    *((name, "data") for name in ("centroid_bytes", "drive_record", "packed_record", "memory_per_vector")),
    ("index_read_size", "data"),
    ("processor_time", "time"),
}

# No menu of it sets a cache in 8 bits.
IN_NO_STATE = {("post_training", "attention_flops_rate", "data")}


def power(calculator: Calculator, name: str, dimension: str) -> int:
    """To which power a value depends on the unit of a dimension."""
    declared = calculator.declared(name)
    if isinstance(declared, Choice) or not declared.unit:
        return 0
    return dict(units.unit(declared.unit).dimensions).get(dimension, 0)


def rescaled(calculator: Calculator, name: str, values: Mapping[str, Any], dimension: str) -> Any:
    """A value stated in a unit an eighth as large; a record of such values."""
    declared, value = calculator.declared(name), values[name]
    if isinstance(declared, Formula) and declared.role == "record":
        return declared.function(*[rescaled(calculator, need, values, dimension) for need in declared.needs])
    exponent = power(calculator, name, dimension)
    return value if value is None or not exponent else value * 8.0**exponent


def follows_its_unit(calculator: Calculator, formula: AnyFormula, values: Mapping[str, Any], dimension: str) -> bool:
    """Whether the formula, its arguments being stated in a unit an eighth as large, gives its result in that unit."""
    scaled = [rescaled(calculator, need, values, dimension) for need in formula.needs]
    after, before = formula.function(*scaled), values[formula.name]
    if isinstance(before, Verdict) or before is None:
        return bool(after == before)
    expected = before * 8.0 ** power(calculator, formula.name, dimension)
    largest = max((abs(value) for value in scaled if isinstance(value, float)), default=0.0)
    return math.isclose(after, expected, rel_tol=1e-9, abs_tol=1e-9 * largest if after * expected <= 0 else 0.0)


def scaled_constants(calculator: Calculator, formula: AnyFormula, dimension: str, patch: pytest.MonkeyPatch) -> None:
    """Let constants of time and data follow the unit as well: of its module, or of all where others compute it."""
    made_of = calculator.formulas if formula.written else (formula,)
    modules = {id(one.function.__globals__): one.function.__globals__ for one in made_of}
    for constant, unit in TIME_CONSTANTS.items():
        if scale := dict(units.unit(unit).dimensions).get(dimension, 0):
            for known in modules.values():
                if constant in known:
                    patch.setitem(known, constant, getattr(units, constant) * 8.0**scale)


@pytest.mark.daily(5)
@each(STEPS)
def test_a_result_follows_its_unit(calculator: Calculator, formula: AnyFormula) -> None:
    """Of any dimension: time, data, money and the others, each stated in a unit an eighth as large."""
    for dimension in SCALED:
        with pytest.MonkeyPatch.context() as patch:
            scaled_constants(calculator, formula, dimension, patch)
            states = known_states(calculator.name)
            followed = all(follows_its_unit(calculator, formula, values, dimension) for values in states)
        excepted = (formula.name, dimension) in NUMBERS_WITH_UNITS
        excepted &= (calculator.name, formula.name, dimension) not in IN_NO_STATE
        assert followed != excepted, (
            f"{formula.name} is excepted for {dimension} and needs no exception: take it out of NUMBERS_WITH_UNITS"
            if excepted
            else f"{formula.name} has a number with a unit of {dimension} in it: make that number an input, "
            f"or name the formula in NUMBERS_WITH_UNITS"
        )


@cache
def registry() -> pint.UnitRegistry[Any]:
    """Pint with our counts and money."""
    known: pint.UnitRegistry[Any] = pint.UnitRegistry()
    known.define("FLOP = [computation]")
    known.define("USD = [money]")
    return known


@pytest.mark.parametrize(
    ("ours", "theirs", "base"),
    [
        ("kB", "kilobyte", "byte"),
        ("GB", "gigabyte", "byte"),
        ("EB", "exabyte", "byte"),
        ("KiB", "kibibyte", "byte"),
        ("GiB", "gibibyte", "byte"),
        ("TiB", "tebibyte", "byte"),
        ("Gbit/s", "gigabit/second", "byte/second"),
        ("TB/s", "terabyte/second", "byte/second"),
        ("min", "minute", "second"),
        ("h", "hour", "second"),
        ("day", "day", "second"),
        ("week", "week", "second"),
        ("year", "julian_year", "second"),
        ("µs", "microsecond", "second"),
        ("kW", "kilowatt", "joule/second"),
        ("kWh", "kilowatt_hour", "joule"),
        ("GWh", "gigawatt_hour", "joule"),
        ("g/kWh", "gram/kilowatt_hour", "kilogram/joule"),
        ("L/kWh", "liter/kilowatt_hour", "liter/joule"),
        ("t", "metric_ton", "kilogram"),
        ("TFLOP/s", "teraFLOP/second", "FLOP/second"),
        ("ZFLOP", "zettaFLOP", "FLOP"),
        ("USD/kWh", "USD/kilowatt_hour", "USD/joule"),
        ("month", "month", "second"),
        ("K", "kelvin", "kelvin"),
        ("kA", "kiloampere", "ampere"),
        ("kV", "kilovolt", "joule/second/ampere"),
        ("MVA", "megavolt_ampere", "joule/second"),
        ("L/s", "liter/second", "liter/second"),
        ("L/min", "liter/minute", "liter/second"),
        ("m3/h", "meter**3/hour", "liter/second"),
        ("CFM", "foot**3/minute", "liter/second"),
        ("J/L/K", "joule/liter/kelvin", "joule/liter/kelvin"),
        ("km", "kilometer", "meter"),
        ("USD/TB-month", "USD/terabyte/month", "USD/byte/second"),
        ("USD/GB", "USD/gigabyte", "USD/byte"),
        ("IOPS", "1/second", "1/second"),
        ("DWPD", "1/day", "1/second"),
        ("token/s", "1/second", "1/second"),
    ],
)
def test_pint_agrees_with_the_factors(ours: str, theirs: str, base: str) -> None:
    assert units.unit(ours).factor == pytest.approx(registry()(theirs).to(base).magnitude, rel=1e-12)
