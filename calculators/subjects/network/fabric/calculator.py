"""The fabric: switches, cables and transceivers for these GPUs, with bisection, power, price and link failures."""

from calculators.declare import Calculator
from calculators.declare.pictures import Bars, bar
from calculators.subjects.network.fabric import bill, direct, planes, storage, tree, verdicts, warnings
from calculators.subjects.network.fabric.inputs import GROUPS, Inputs, switch_preset
from calculators.subjects.network.fabric.recommendations import recommendations
from calculators.subjects.network.fabric.tables import BILL, CONVENTIONS, EDGES
from calculators.vocabulary.nodes import gpu_nodes

CALCULATOR = Calculator(
    name="fabric",
    title="Fabric",
    question="How many switches, cables and transceivers connect these GPUs, at what power and price?",
    answer=(
        "Connecting {gpus} takes **{switches}** in {tiers} ({leaves} leaf, {spines} spine, {cores} core), "
        "{cables} and {transceivers}: **{fits_tiers}**. "
        "Bisection bandwidth is {bisection_one_way} each way, power **{fabric_power}**, "
        "link failures {failed_links_per_day}."
    ),
    inputs_type=Inputs,
    formulas=(
        gpu_nodes,
        *tree.FORMULAS,
        *direct.FORMULAS,
        *bill.FORMULAS,
        *storage.FORMULAS,
        *planes.FORMULAS,
        *verdicts.FORMULAS,
        *warnings.FORMULAS,
    ),
    headline=(
        "switches",
        "fabric_power",
        "cables",
        "transceivers",
        "leaves",
        "spines",
        "cores",
        "tiers",
        "switches_with_one_more",
        "nodes_within_tiers",
        "bisection_one_way",
        "bisection_both_ways",
        "crossing_rate_per_gpu",
        "fabric_cost",
        "failed_links_per_day",
        "path_latency",
        "two_tier_limit",
        "three_tier_limit",
        "all_switches",
        "all_cables",
        "all_fabric_power",
    ),
    first_sliders=("gpus", "switch_radix", "oversubscription"),
    presets=(switch_preset(),),
    groups=GROUPS,
    assumptions=(
        "One switch model in all tiers of the compute fabric; power of the other two fabrics assumes the same parts.",
        "Full units of nodes: a partly filled pod follows the same rule, but no published table shows one.",
        "Spines and cores divide the uplinks below them, so every two connected switches have equally many links.",
        "Links between switches fail as often as those between NICs and leaves, for which a rate was published.",
        "The front-end oversubscription and the ports of the storage system are examples: enter yours.",
    ),
    omits=(
        "Traffic: 1:1 is a property of the wiring. Static hashing cost Meta 30% of training speed on such a fabric.",
        "The price of NICs, of cables to nodes and of transceivers: no dated price with a source was found.",
        "Switches for consoles and power management, spares, patch panels, cable lengths, racks for the switches.",
        "NVLink and other links within a node or a rack.",
    ),
    tables=(BILL, EDGES, CONVENTIONS),
    recommendations=recommendations,
    recommendations_heading="Recommendations",
    picture=Bars(
        title="Switches by tier, and links between tiers",
        blocks=64,
        rows=(
            bar("Core", cores="optimizer", below="spine_core_links", narrow="core_oversubscription"),
            bar("Spine", spines="gradients", below="leaf_spine_links", narrow="oversubscription"),
            bar("Leaf", leaves="weights", below="node_links"),
            bar("Storage", storage_switches="work"),
            bar("Front end", frontend_switches="other"),
        ),
    ),
    second_picture=Bars(
        title="Power of the compute fabric",
        rows=(bar("Power", switches_power="weights", switch_optics_power="gradients", nic_optics_power="optimizer"),),
    ),
)
