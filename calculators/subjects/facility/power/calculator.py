"""Power and cooling: what GPUs draw in a hall, how the heat leaves, what a year costs, and which limit binds."""

from calculators import facts
from calculators.declare import Calculator, Preset, RunReader
from calculators.declare.pictures import Bars, bar
from calculators.subjects.facility.power import cooling, energy, rack, rating, supply, verdicts, warnings
from calculators.subjects.facility.power.acceptance import ACCEPTANCE
from calculators.subjects.facility.power.inputs import GROUPS, Inputs
from calculators.subjects.facility.power.recommendations import recommendations
from calculators.subjects.facility.power.tables import CONVENTIONS
from calculators.subjects.facility.power.watts import metered_power, server_power, supported_power
from calculators.vocabulary.electricity import watts_per_gpu
from calculators.vocabulary.groups import MACHINE
from calculators.vocabulary.nodes import gpu_nodes

CALCULATOR = Calculator(
    name="power",
    title="Power and cooling",
    question="How much power and cooling do these GPUs need, and do they fit in this data hall?",
    answer=(
        "The IT load of {gpus} is **{it_power}** rated and about {average_it_power} while training; "
        "the facility needs {facility_power}. It needs {racks}, {rack_power} when full, "
        "cooled by {heat_carried}. "
        "A year costs {energy_cost} and emits {yearly_emissions}. Data hall: **{hall_fits}**."
    ),
    inputs_type=Inputs,
    formulas=(
        gpu_nodes,
        watts_per_gpu,
        *rating.FORMULAS,
        server_power,
        supported_power,
        metered_power,
        *rack.FORMULAS,
        *cooling.FORMULAS,
        *energy.FORMULAS,
        *supply.FORMULAS,
        *verdicts.FORMULAS,
        *warnings.FORMULAS,
    ),
    headline=(
        "it_power",
        "facility_power",
        "average_it_power",
        "power_swing",
        "racks",
        "rack_power",
        "gpus_that_fit",
        "liquid_flow",
        "air_flow",
        "circuit_power",
        "power_per_surviving_source",
        "modules_installed",
        "yearly_energy",
        "energy_cost",
        "yearly_emissions",
        "water",
        "shortcut_power",
    ),
    first_sliders=("gpus", "hall_power", "pue"),
    presets=(
        Preset(
            name="server",
            label="Server",
            records=tuple(facts.records("power-servers").values()),
            fills={
                name: name
                for name in (
                    *("gpus_per_node", "gpu_power", "host_power_per_gpu"),
                    *("node_units", "rack_nodes", "rack_units", "rack_limit", "sources", "cooling"),
                )
            },
            default="server-dgx-h100",
            secondary=("rack_units", "rack_limit", "sources", "cooling"),
            group=MACHINE,
        ),
    ),
    groups=GROUPS,
    assumptions=(
        "Ratings bound what servers draw; excursions of milliseconds above them exist and are left to their supplies.",
        "Support draws a share of the servers' power, is rated and averaged like them, and is cooled like them.",
        "The average was measured on single nodes of eight H100; stalls and communication of a cluster lower it.",
        "PUE and WUE are averages of a year: the hottest hour needs more.",
        "Energy is the average share of the rating; training time keeps the whole rating, as published figures do.",
        "All racks are alike and full but the last; nodes are whole, and so are modules of supply.",
        "Air density is that near sea level.",
    ),
    omits=(
        "Carbon embodied in hardware and building; water for making the electricity.",
        "What hours not in training draw.",
        "Phases loaded unevenly, harmonics, start-up surges and the losses of each stage of supply.",
        "Floor load, pumps' and fans' own power beyond the PUE, and the price of the building and its plant.",
    ),
    result_aliases={"it_energy": "yearly_it_energy", "facility_energy": "yearly_energy"},
    tables=(ACCEPTANCE, CONVENTIONS),
    run_reader=RunReader(
        title="Your own power log",
        about="Watts of your GPUs under load next to what is assumed here. Nothing leaves this page.",
        formats="CSV of nvidia-smi --query-gpu=timestamp,index,power.draw,utilization.gpu, output of dcgmi dmon, or "
        "scrapes of dcgm-exporter",
        module="calculators.subjects.facility.power.measured",
    ),
    recommendations=recommendations,
    recommendations_heading="Recommendations: fit the data hall",
    picture=Bars(
        title="From the GPUs to the grid",
        rows=(
            bar(
                "At the rating",
                gpus_power="work",
                servers_rest_power="weights",
                support_power="logits",
                other_power="gradients",
                overhead_power="other",
            ),
            bar("While training", average_facility_power="optimizer"),
            bar("In a swing", swing_floor="free", power_swing="stall"),
            bar("Installed", facility_power="write", spare_power="free", exempt=True),
        ),
        limit="hall_power",
        limit_label="supply",
    ),
)
