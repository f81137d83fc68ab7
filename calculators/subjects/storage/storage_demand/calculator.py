"""Storage demand: bandwidth, requests and capacity that a job needs by tier, and the limit that sets the node count."""

from calculators import facts
from calculators.declare import Calculator, Preset, RunReader
from calculators.declare.pictures import Bars, bar
from calculators.subjects.storage.checkpoint import local_checkpoints
from calculators.subjects.storage.checkpoint.formulas import required_write_bandwidth, written_per_day
from calculators.subjects.storage.storage_demand import drives, nodes, requirements, retention, verdicts, warnings
from calculators.subjects.storage.storage_demand.acceptance import ACCEPTANCE
from calculators.subjects.storage.storage_demand.groups import GROUPS, NODE
from calculators.subjects.storage.storage_demand.inputs import Inputs
from calculators.subjects.storage.storage_demand.kinds import TEXT
from calculators.subjects.storage.storage_demand.recommendations import recommendations
from calculators.subjects.storage.storage_demand.tables import CONVENTIONS
from calculators.subjects.storage.storage_demand.tender import TENDER
from calculators.vocabulary.nodes import gpu_nodes
from calculators.vocabulary.storage import drive_preset, workload_preset

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
    question="What bandwidth and capacity does this job need from storage, and which limit sets the node count?",
    answer=(
        "Training reads {training_read}; writing a checkpoint within {write_window} needs {required_write_bandwidth}. "
        "The storage system has **{storage_nodes}** with {drives_per_node} each; needed: **{nodes_needed}** "
        f"({{nodes_at_least}} at {nodes.BEST_EFFICIENCY:.0%} of line rate, "
        f"{{nodes_at_most}} at {nodes.LEAST_EFFICIENCY:.0%}, as published), "
        "limited by **{binding}**."
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
        _menu("storage_node", "Storage node", "store-", _OF_NODES, default="store-sixteen-drives", group=NODE),
        drive_preset(*_OF_DRIVES),
    ),
    groups=GROUPS,
    assumptions=(
        "One job has the storage system to itself. Add the reads of evaluation, data preparation and other jobs.",
        "During training, either a restore or a load of weights runs at the same time, not both.",
        "Rates are averages over the time limit; peaks within it are not modeled.",
        "Writes fill whole stripes. Small overwrites cost several times as much.",
        "Drive wear counts host writes, as datasheets do: checkpoints and new KV caches; data sets are only read.",
        "IOPS and metadata rate per node, rebuild share, logs and raw data are estimates: measure yours.",
        "All drives share a rebuild (declustered RAID).",
    ),
    omits=(
        "Latency: a storage system with enough bandwidth can still be too slow for a single reader.",
        "CPU work of the data loader on the GPU nodes, which may be the limit long before storage (see Data loader).",
        "Compression and deduplication; space for snapshots; dedicated metadata servers.",
        "Prices.",
    ),
    result_aliases={
        "ports": "storage_ports",
        "near_bytes_per_node": "local_bytes_per_node",
        "near_write_time": "local_write_time",
        "near_saves_per_day": "local_checkpoints_per_day",
        "near_writes_per_drive_and_day": "local_drive_writes_per_day",
        "near_drive_life": "local_drive_life",
        "grown": "growth_factor",
    },
    tables=(TENDER, ACCEPTANCE, CONVENTIONS),
    run_reader=RunReader(
        title="Your own measurement",
        about="Your fio, IOR, mdtest, elbencho or MLPerf Storage run next to the limits of the acceptance table. "
        "Nothing leaves this page.",
        formats="fio JSON, IOR or mdtest text, elbencho CSV, or summary.json of MLPerf Storage",
        module="calculators.subjects.storage.storage_demand.measured",
    ),
    recommendations=recommendations,
    recommendations_heading="Recommendations: fewer nodes, or enough bandwidth",
    picture=Bars(
        title="Storage nodes needed by each limit",
        rows=(
            bar("Read", storage_nodes_for_read="work"),
            bar("Write", storage_nodes_for_write="write"),
            bar("Metadata", storage_nodes_for_metadata="other"),
            bar("Capacity", storage_nodes_for_capacity="weights"),
            bar("Endurance", storage_nodes_for_endurance="stall"),
            bar("Rule of thumb", storage_nodes_by_rule="free"),
        ),
        limit="storage_nodes",
        limit_label="nodes in the system",
    ),
)
