"""A serving system: replicas of a model for a request rate, the storage that loads them, data hall and money."""

import dataclasses
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, cast

from calculators.catalog import CALCULATORS
from calculators.declare import (
    AnyFormula,
    Calculator,
    Computed,
    Input,
    Quantity,
    computed,
    constraint,
    formulas_of,
    step,
    warning,
)
from calculators.machine import form, hall_and_storage, wiring
from calculators.machine.form import Field, Paid
from calculators.machine.hall_and_storage import OF_HALL, OF_STORE, WEIGHT_LOADING
from calculators.machine.kinds import Capacity, Kind, Measure, Rate
from calculators.machine.workload import Workload, joined_system
from calculators.subjects.serving.inference.verdicts import unserved
from calculators.units import MILLION, YEAR
from calculators.vocabulary.money import Per, shown_per

PARTS = ("inference", "storage_demand", "fabric", "power", "cost")
# Nothing is trained: no checkpoints, no samples, no tokens kept.
_NO_TRAINING = ("checkpoint_size", "samples_per_second", "sample_bytes", "prepared_data", "raw_data", "hot_checkpoints")
_COMPUTED = {
    "gpus": computed("gpus_of_copies", "for the requests"),
    "utilization": computed("always", "all hours"),
    "hall_power": computed("facility_power", "as needed"),
    "hall_racks": computed("racks", "as needed"),
    # A tenant that rents GPUs for replicas stores there what they load, not a petabyte of training data.
    "stored": computed("hot_stored", "hot data"),
}


@step("GPU", "GPUs of all replicas")
def gpus_of_copies(serving_gpus: float | None, serving_tensor_parallel: float) -> float:
    """GPUs that the requests need [GPU]; one replica where no sequence fits, which is refused.

    >>> gpus_of_copies(None, 8), gpus_of_copies(24.0, 8)
    (8, 24.0)
    """
    return serving_tensor_parallel if serving_gpus is None else max(1.0, serving_gpus)


@step("replica", "Replicas on the GPUs given")
def replicas_on_gpus(
    gpus: float, serving_tensor_parallel: float, prefill_replicas: float, expert_groups: float
) -> float:
    """Replicas that run on all GPUs that there are [replica], in whole sets and besides those that only prefill.

    >>> replicas_on_gpus(64, 8, 0, 1), replicas_on_gpus(60, 8, 1, 1)
    (8, 6)
    """
    left = gpus // serving_tensor_parallel - prefill_replicas
    return max(1, left - left % expert_groups)


@step("GPU", "GPUs that the load needs")
def gpus_needed(replicas_needed: float | None, prefill_replicas: float, serving_tensor_parallel: float) -> float:
    """GPUs of as many replicas as the traffic needs [GPU], however many run."""
    return 1.0 if replicas_needed is None else (replicas_needed + prefill_replicas) * serving_tensor_parallel


@step("share", "Hours in service")
def always() -> float:
    """Users come at all hours: every hour is used."""
    return 1.0


@step("GPU", "GPUs by load alone", not_applicable="no number suffices")
def gpus_by_load(
    request_rate: float,
    replica_request_rate: float,
    target_utilization: float,
    prefill_time: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
    serving_tensor_parallel: float,
) -> float:
    """GPUs that the requests would need [GPU] with fractional replicas: it moves where whole ones do not.

    >>> round(gpus_by_load(5, 3.5, 0.7, 0.5, False, 8), 2)  # 5 / 2.45 copies of 8
    16.33
    """
    copies = request_rate / (replica_request_rate * target_utilization)
    prompts = request_rate * prefill_time / target_utilization if disaggregated else 0.0
    return (copies + prompts) * serving_tensor_parallel


@step("USD", "Cost per year")
def yearly_price(
    paid: Paid, rent_per_year: float, own_per_year: float, storage_cost: float | None, book_years: float
) -> float:
    """Cost of a year of the system [USD], rented or owned.

    A storage system with a price of its own is paid besides rented GPUs, in a straight line over its years.
    """
    if paid == "own":
        return own_per_year
    return rent_per_year + (0 if storage_cost is None else storage_cost / (book_years / YEAR))


@step("USD", "Cost, as shown")
def yearly_shown(
    money_per: Per,
    yearly_price: float,
    gpus: float,
    traffic_rate: float,
    output_tokens: float,
    rent_total: float,
    own_total: float,
    paid: Paid,
) -> float:
    """Cost of serving [USD], per hour, month, year or million output tokens, or over the depreciation period."""
    million = yearly_price / (traffic_rate * output_tokens * YEAR) * MILLION
    whole = rent_total if paid == "rent" else own_total
    return shown_per(money_per, year=yearly_price, gpus=gpus, million=million, whole=whole)


@constraint("gpu_memory")
def a_sequence_fits(max_sequences: float) -> str:
    """Weights that leave no room for a single sequence."""
    if max_sequences >= 1:
        return ""
    return (
        "The weights leave no memory for one sequence: use more GPUs per replica, fewer bytes per weight or more memory"
    )


@constraint("gpus")
def a_replica_has_gpus(gpus: float, serving_tensor_parallel: float) -> str:
    """Fewer GPUs than one replica takes."""
    if gpus >= serving_tensor_parallel:
        return ""
    return "One replica takes {serving_tensor_parallel}: use more GPUs, or a smaller tensor parallel degree"


@constraint("replicas")
def replicas_have_gpus(serving_gpus: float | None, gpus: float) -> str:
    """Replicas, those that only prefill among them, that take more GPUs than there are."""
    if serving_gpus is None or serving_gpus <= gpus:
        return ""
    return (
        "Replicas, with those that only prefill, take {serving_gpus}, and there are {gpus}: use more GPUs, fewer "
        "replicas, or leave one of the two out"
    )


@warning
def gpus_without_a_replica(serving_gpus: float | None, gpus: float) -> str:
    """GPUs that no replica uses: a part of one, or more than the replicas given take."""
    if serving_gpus is None or serving_gpus >= gpus:
        return ""
    return "Of {gpus} {serving_gpus} serve, in {replicas} of {serving_tensor_parallel}: the rest is paid for and idle."


OWN: dict[str, AnyFormula] = {
    one.name: one
    for one in (*formulas_of(globals()), *hall_and_storage.FORMULAS, wiring.capacity_of_nodes, wiring.metadata_supply)
}
SERVICE_FORM = (
    Field(title="Model", names=("model",)),
    Field(title="Workload", names=("request_rate", "concurrent_users", "think_time", "input_tokens", "output_tokens")),
    Field(title="GPUs or a yearly budget", names=("gpus", "budget")),
    form.ACCELERATOR,
    form.NETWORK,
    Field(title="Storage", names=("load_window", "storage_capacity", "storage_cost")),
    form.HALL,
    Field(title="Latency targets", names=("tpot_target", "ttft_target")),
    form.MONEY,
)

RATES = (
    Rate(
        key="compute",
        title="Compute",
        inputs=("peak_flops",),
        asked="{input_tokens} per request",
        there="{peak_flops} per GPU",
        calculator="inference",
    ),
    Rate(
        key="memory_bandwidth",
        title="Memory bandwidth",
        inputs=("memory_bandwidth",),
        asked="{weights_read} of weights per step",
        there="{memory_bandwidth} per GPU",
        calculator="inference",
    ),
    Rate(
        key="links",
        title="Scale-up links",
        inputs=("link_bandwidth",),
        asked="{serving_tensor_parallel} per layer",
        there="{link_bandwidth} per GPU",
        calculator="inference",
    ),
    Rate(
        key="network",
        title="Network between replicas",
        inputs=("transfer_bandwidth",),
        asked="KV cache transfer in disaggregated serving",
        there="{transfer_bandwidth} per GPU",
        calculator="inference",
    ),
)
OF_REPLICAS = (
    Capacity(key="gpus", title="GPUs", asked="gpus_needed", there="gpus", calculator="inference", only_given=True),
    Capacity(
        key="memory",
        title="Concurrent sequences",
        asked="concurrent_sequences",
        there="max_sequences",
        calculator="inference",
    ),
)
YEARLY_BUDGET = Capacity(
    key="money", title="Money", asked="yearly_price", there="budget", calculator="cost", exceeded="Over budget"
)
CAPACITIES = (*OF_REPLICAS, WEIGHT_LOADING, *OF_STORE, *OF_HALL, YEARLY_BUDGET)
SERVING = Kind(
    name="serve",
    form=SERVICE_FORM,
    job=frozenset(("model", "shape", "requests", "targets", "data", "save")),
    rates=RATES,
    capacities=CAPACITIES,
    measures=(
        Measure(result="gpus_by_load", title="GPUs", better="fewer by load alone", worse="more by load alone"),
        Measure(result="yearly_price", title="Cost", better="less per year", worse="more per year"),
        Measure(result="facility_power", title="Power", better="less", worse="more"),
    ),
    states={"targets_met": {"good": "Latency targets met"}, "enough_replicas": {}, "replica_failure": {}},
    gained="lets the same GPUs serve {share} more",
    grown="it takes {share} more GPUs",
    best="needs the fewest GPUs, with the best batch size",
)


def of_replicas(
    name: str,
    parts: tuple[str, ...],
    computed_inputs: Mapping[str, Computed],
    own: Mapping[str, AnyFormula],
    *,
    further: Mapping[str, Input] = MappingProxyType({}),
    **page: Any,
) -> Calculator:
    """The system of a job whose replicas answer requests, with `further` inputs; `page` replaces its other fields."""
    replicas = cast("Quantity", CALCULATORS["inference"].inputs["replicas"])
    on_gpus = computed("replicas_on_gpus", "on the GPUs given", when=("gpus",))
    return joined_system(
        name,
        parts,
        own,
        prefer={"gpus": "power", "gpu_hours": "power"},
        computed_inputs={**_COMPUTED, **computed_inputs},
        without=_NO_TRAINING,
        money_per="year",
        budget="Maximum cost per year.",
        replaced={**further, "replicas": dataclasses.replace(replicas, fallbacks=(on_gpus, *replicas.fallbacks))},
        **page,
    )


@cache
def serving_machine() -> Calculator:
    """The machine of a serving job."""
    return of_replicas(
        "machine_serving",
        PARTS,
        {},
        OWN,
        title="System planner: serving",
        question="How many GPUs does this traffic need on this system, what limits it, and what should you buy next?",
        answer=(
            "Serving {parameters} at {traffic_rate} takes **{serving_gpus}** and **{yearly_shown}** {money_per}; a "
            "user gets {tokens_per_second_per_user} after a TTFT of {ttft} ({ttft_p95} at p95). The facility needs "
            "{facility_power}."
        ),
        unanswered=unserved,
        headline=("serving_gpus", "yearly_price", "facility_power", "cost_per_million_output", "user_tpot", "ttft"),
        first_sliders=("request_rate",),
    )


SERVICE = Workload(kind=SERVING, parts=PARTS, calculator=serving_machine)
