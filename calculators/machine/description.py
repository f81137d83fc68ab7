"""The description: a short form before the calculators of a training job, joined, so that each thing is given once."""

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import Any, cast

from calculators.catalog import CALCULATORS, JOINED_INPUTS, PREFERRED_DEFAULTS
from calculators.declare import Calculator, Choice, Input, Preset, Quantity, computed, join
from calculators.machine import breakdown, fine_tuning, form, hall_and_storage, wiring
from calculators.machine.joining import as_sure_as_what_is_behind, groups_held, inputs_type, part_without, served_by
from calculators.machine.step import accuracy, parts
from calculators.machine.step import inputs as step
from calculators.vocabulary.accelerators import server_of

PARTS = (
    *("training_time", "training_memory", "checkpoint", "goodput", "storage_demand"),
    *("fabric", "collectives", "power", "cost"),
)
# What a menu would say that the machine computes: how often it fails, and what training reads and writes.
_MENUS_LEFT_OUT = ("failures_as", "workload")
# What is computed here and typed, or chosen from a menu, in the single calculators.
_COMPUTED = {
    "gpu_mtbf": computed("gpu_mtbf_of_rate", "from the failure rate"),
    "mfu": computed("layout_utilization", "from kernels, bubble and exposed communication"),
    "data_parallel": computed("layout_replicas", "GPUs ÷ GPUs per replica"),
    "micro_batches": computed("dealt_micro_batches", "batch ÷ replicas"),
    "samples_per_second": computed("sequence_rate", "at the step rate"),
    "sample_bytes": computed("sequence_bytes", "4 bytes per token"),
    "prepared_data": computed("tokens_stored", "training tokens"),
    "weights_size": computed("model_weights", "this model's weights"),
    "storage_nodes": computed("storage_nodes", "for the bandwidth"),
    "hall_power": computed("facility_power", "as needed"),
    "hall_racks": computed("racks", "as needed"),
}


# Said of one calculator alone: of a single collective, of figures that are typed there and computed here.
SAID_ELSEWHERE = frozenset(
    (
        *("no_rate_on_a_wire", "two_domains", "switches_that_do_not_add", "own_card_decides", "uneven_group"),
        *("latency_is_a_constant", "racks_are_slower", "sums_are_off", "racks_for_support"),
        *("no_port_for_the_manager", "leaves_half_empty", "cores_rounded_up", "spines_rounded_up"),
        *("pod_partly_filled", "lines_forgotten", "rent_without_storage", "counted_at_the_rating"),
        # A step's time includes attention, whatever the MFU counts; training memory says what positions allow.
        *("attention_left_out", "above_published_with_attention"),
        *("sequence_beyond_positions", "bus_bandwidth_is_a_score"),
        # The search has weighed them: it does not warn of what it found fastest.
        *("zero3_traffic_per_micro_batch", "tensor_leaves_domain", "nothing_to_share"),
    )
)
_AS_SURE = ("goodput", "support_share")  # computed here, where single calculators assume them
_FOUND = ("tensor_parallel", "pipeline_parallel")  # a search finds them: before it, one rank does everything


@cache
def machine() -> Calculator:
    """The machine of a training job."""
    joined = join(
        "machine",
        tuple(part_without(CALCULATORS[name], _MENUS_LEFT_OUT) for name in PARTS),
        prefer={name: leader for name, leader in PREFERRED_DEFAULTS.items() if leader in PARTS},
        overrides={name: one for name, one in JOINED_INPUTS.items() if name != "samples_per_second"} | _unguarded(),
    )
    inputs: dict[str, Input] = {**joined.inputs, **form.declared(), **step.declared()}
    for name, way in {**_COMPUTED, **step.COMPUTED}.items():
        inputs[name] = served_by(cast("Quantity", inputs[name]), way)
    for name, supply in (("write_bandwidth", "write_supply"), ("read_bandwidth", "read_supply")):
        one = cast("Quantity", inputs[name])
        of_nodes = computed(supply, "of its nodes", when=("storage_nodes",))
        inputs[name] = dataclasses.replace(one, fallbacks=(of_nodes, *one.fallbacks))
    inputs["tensor_overlap"] = step.overlapped(cast("Quantity", inputs["tensor_overlap"]))
    for name in _AS_SURE:
        inputs[name] = as_sure_as_what_is_behind(cast("Quantity", inputs[name]))
    for name in _FOUND:
        inputs[name] = dataclasses.replace(cast("Quantity", inputs[name]), default=1.0)
    inputs["money_per"] = dataclasses.replace(cast("Choice", inputs["money_per"]), default="whole")
    inputs["utilization_counts"] = dataclasses.replace(cast("Choice", inputs["utilization_counts"]), default="model")
    own = {
        one.name: one
        for one in (*wiring.FORMULAS, *breakdown.FORMULAS, *hall_and_storage.FORMULAS, *fine_tuning.FORMULAS)
    }
    own |= {one.name: one for one in (*step.FORMULAS, *parts.FORMULAS, *accuracy.FORMULAS)}
    presets = tuple(map(_filled_further, joined.presets))
    return dataclasses.replace(
        joined,
        inputs_type=inputs_type(inputs),
        formulas=(
            *(one for one in joined.formulas if one.name not in own and one.name not in SAID_ELSEWHERE),
            *own.values(),
        ),
        title="System planner: training",
        question="How long will this job take on this system, what limits it, and what should you buy next?",
        answer=(
            "Training {parameters} on {tokens} takes **{training_duration}** on {gpus} and costs **{run_shown}** "
            "{money_per}; goodput is **{goodput}**. The facility needs {facility_power}."
        ),
        headline=(
            *("training_duration", "run_price", "goodput", "facility_power", "gpu_hours"),
            *(part.result for part in breakdown.PARTS),
        ),
        first_sliders=("tokens", "gpus", "write_bandwidth", "failure_rate"),
        bands={**joined.bands, **accuracy.BANDS},
        picture=breakdown.PICTURE,
        second_picture=None,
        tables=(),
        recommendations=None,
        measurement=None,
        tradeoff=None,
        presets=presets,
        groups=groups_held(joined.groups, (*inputs.values(), *presets)),
        completes=with_server(presets),
        unanswered=_does_not_fit,
    )


def _does_not_fit(values: Mapping[str, Any]) -> str:
    """The sentence of a job that no GPU can hold a part of: a time for it would be of a run that cannot start."""
    if values["training_memory"] <= values["gpu_memory"]:
        return ""
    return (
        "Training {parameters} on {gpus} does not fit: the layout that needs least memory takes {training_memory} of "
        "{gpu_memory} on the fullest GPU. Use more GPUs, a shorter sequence or GPUs with more memory."
    )


def _filled_further(menu: Preset) -> Preset:
    """A menu that fills inputs of the training step too."""
    further = {"model": step.MODEL_FILLS, "accelerator": step.DEVICE_FILLS}.get(menu.name, ())
    return dataclasses.replace(
        menu, fills={**menu.fills, **{name: name for name in further}}, secondary=(*menu.secondary, *further)
    )


def with_server(presets: Iterable[Preset]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Function that adds the accelerator's usual server, where none was chosen."""
    (menu,) = (preset for preset in presets if preset.name == "accelerator")
    return partial(_completed, menu)


def _completed(menu: Preset, given: Mapping[str, Any]) -> dict[str, Any]:
    texts = dict(given)
    names = {key.replace("-", "_") for key in texts}
    if "accelerator" in names and "server" not in names:
        typed = str(next(text for key, text in texts.items() if key.replace("-", "_") == "accelerator"))
        chosen = menu.by_key.get(menu.names.get(typed, ""))
        texts["server"] = (chosen and server_of(chosen)) or "none"
    return texts


def _unguarded() -> dict[str, Quantity]:
    """Inputs that are always computed in a system: each guard doubles what is checked for circles."""
    ways = {"mfu": computed("layout_mfu", "from the layout"), "data_parallel": _COMPUTED["data_parallel"]}
    asked = {name: CALCULATORS["training_time" if name == "mfu" else "training_memory"].inputs[name] for name in ways}
    return {name: served_by(cast("Quantity", asked[name]), way) for name, way in ways.items()}
