"""Storage demand: what a store must give a job, in which tier, and which limit decides how many nodes it takes."""

from calculators import facts
from calculators.declare import Calculator, Preset
from calculators.declare.pictures import Bars, Row, Segment
from calculators.subjects.storage.checkpoint import local_checkpoints
from calculators.subjects.storage.checkpoint.formulas import required_write_bandwidth, written_per_day
from calculators.subjects.storage.storage_demand import drives, nodes, requirements, retention, verdicts, warnings
from calculators.subjects.storage.storage_demand.acceptance import ACCEPTANCE
from calculators.subjects.storage.storage_demand.conventions import CONVENTIONS
from calculators.subjects.storage.storage_demand.inputs import DRIVE, GROUPS, NODE, TEXT, Inputs
from calculators.subjects.storage.storage_demand.recommendations import recommendations
from calculators.subjects.storage.storage_demand.tender import TENDER
from calculators.vocabulary.nodes import gpu_nodes
from calculators.vocabulary.storage import workload_preset

_OF_WORKLOADS = (
    *("samples_per_second", "sample_bytes", "files_per_sample", "prepared_data", "raw_data"),
    *("checkpoint_size", "weights_replicas"),
)
_OF_NODES = ("drives_per_node", "node_network", "network_port")
_OF_DRIVES = ("drive_capacity", "drive_read", "drive_write", "drive_writes_per_day", "drive_warranty")


def _menu(name: str, label: str, prefix: str, fills: tuple[str, ...], *, default: str, group: str) -> Preset:
    records = tuple(facts.records("store", prefix).values())
    filled = {one: one for one in fills}
    return Preset(name=name, label=label, records=records, fills=filled, default=default, group=group)


CALCULATOR = Calculator(
    name="storage_demand",
    title="Storage demand",
    question="What must storage give this job, and what decides how many nodes of it you buy?",
    answer=(
        "Training reads {training_read}; one save in {write_window} needs {required_write_bandwidth}. "
        "**{nodes_needed}** of {drives_per_node} each, decided by **{binding}**. "
        "A rule of {rule_per_gpu} for each GPU would buy {storage_nodes_by_rule}."
    ),
    inputs_type=Inputs,
    formulas=(
        gpu_nodes,
        *requirements.FORMULAS,
        required_write_bandwidth,
        written_per_day,
        *local_checkpoints.FORMULAS,
        *retention.FORMULAS,
        *nodes.FORMULAS,
        *drives.FORMULAS,
        *verdicts.FORMULAS,
        *warnings.FORMULAS,
    ),
    headline=(
        "nodes_needed",
        "training_read",
        "read_demand",
        "write_demand",
        "metadata_demand",
        "storage_nodes_for_read",
        "storage_nodes_for_write",
        "storage_nodes_for_metadata",
        "storage_nodes_for_capacity",
        "storage_nodes_for_endurance",
        "fewest_nodes",
        "drive_life",
        "rebuild_time",
        "hot_raw",
        "warm_stored",
        "cold_stored",
        "storage_nodes_by_rule",
    ),
    first_sliders=("gpus", "checkpoint_size", "write_window"),
    presets=(
        workload_preset(*_OF_WORKLOADS, default=TEXT, stating="samples_per_second"),
        _menu("storage_node", "Node of the store", "store-", _OF_NODES, default="store-sixteen-drives", group=NODE),
        _menu("drive", "Drive", "drive-", _OF_DRIVES, default="drive-d7-ps1010", group=DRIVE),
    ),
    groups=GROUPS,
    assumptions=(
        "One job owns the store. Evaluation, data preparation, other jobs and people come on top: add their reads.",
        "While it trains, either a restore or the loading of weights goes on beside the reading, not both.",
        "Rates are averages over the time allowed; peaks inside it are not seen.",
        "Writes fill whole stripes. Small overwrites cost several times as much.",
        "Drives wear by what hosts write, as datasheets rate them; saves alone are counted, data sets are read.",
        "Requests and metadata a node serves, the share for rebuilds, logs and raw data are guesses: measure yours.",
        "A rebuild is shared by all drives (declustered).",
    ),
    omits=(
        "Latency: a store with enough bandwidth can still be too slow for one reader at a time.",
        "What the loader on the GPU nodes does with the bytes: processors may be the limit long before storage.",
        "Compression and deduplication of data; the space of snapshots; the servers of metadata as nodes of their own.",
        "Prices and power.",
    ),
    result_aliases={
        "ports": "storage_ports",
        "near_bytes_per_node": "local_bytes_per_node",
        "near_write_time": "local_write_time",
    },
    tables=(TENDER, ACCEPTANCE, CONVENTIONS),
    recommendations=recommendations,
    recommendations_heading="What would take fewer nodes, or carry it",
    picture=Bars(
        title="Nodes that each limit asks for",
        rows=(
            Row(label="Read", segments=(Segment(value="storage_nodes_for_read", tone="work"),)),
            Row(label="Write", segments=(Segment(value="storage_nodes_for_write", tone="write"),)),
            Row(label="Metadata", segments=(Segment(value="storage_nodes_for_metadata", tone="other"),)),
            Row(label="Capacity", segments=(Segment(value="storage_nodes_for_capacity", tone="weights"),)),
            Row(label="Endurance", segments=(Segment(value="storage_nodes_for_endurance", tone="stall"),)),
            Row(label="By the rule", segments=(Segment(value="storage_nodes_by_rule", tone="free"),)),
        ),
        limit="storage_nodes",
        limit_label="nodes",
    ),
)
