"""Data loader: whether the input pipeline keeps the GPUs busy, and its bottleneck."""

from calculators import facts
from calculators.declare import Calculator, Preset, RunReader
from calculators.declare.pictures import Bars, bar
from calculators.subjects.storage.data_loader import cache, epoch, rates, shuffle, verdicts, warnings
from calculators.subjects.storage.data_loader.inputs import CACHE, DEFAULT_STORE, SHUFFLE, WORKERS, Inputs
from calculators.subjects.storage.data_loader.recommendations import recommendations
from calculators.subjects.storage.data_loader.tables import CONVENTIONS
from calculators.vocabulary.groups import MACHINE, STORAGE
from calculators.vocabulary.nodes import gpu_nodes
from calculators.vocabulary.storage import DATA, workload_preset

CALCULATOR = Calculator(
    name="data_loader",
    title="Data loading",
    question="Does the input pipeline keep the GPUs busy, and if not, what is the bottleneck?",
    answer=(
        "A GPU consumes {gpu_rate}; the loader delivers {loader_rate}: "
        "GPU utilization **{accelerator_utilization}**, bottleneck **{limiting}**. "
        "Needed per GPU: workers {workers_needed}, outstanding reads {reads_needed}. A node reads {loader_node_read}."
    ),
    inputs_type=Inputs,
    formulas=(
        gpu_nodes,
        *rates.FORMULAS,
        *cache.FORMULAS,
        *epoch.FORMULAS,
        *shuffle.FORMULAS,
        *verdicts.FORMULAS,
        *warnings.FORMULAS,
    ),
    headline=(
        "accelerator_utilization",
        "loader_headroom",
        "limiting",
        "gpu_rate",
        "loader_rate",
        "workers_needed",
        "reads_needed",
        "loader_node_read",
        "first_epoch_utilization",
        "run_utilization",
        "cache_hit_share",
        "fetched_per_epoch",
        "buffer_per_node",
        "shuffle_reach",
        "egress_cost",
    ),
    unanswered=verdicts.unanswered,
    first_sliders=("loader_workers", "decode_time", "step_compute_time"),
    presets=(
        workload_preset(
            "sample_bytes",
            "dataset_samples",
            secondary=("batch_size", "step_compute_time", "decode_time", "decoded_bytes", "epochs"),
        ),
        Preset(
            name="store",
            label="Storage that the loader reads",
            records=tuple(facts.records("stores").values()),
            fills={name: name for name in ("read_latency", "stream_bandwidth", "node_read_bandwidth", "egress_price")},
            default=DEFAULT_STORE,
            secondary=("node_read_bandwidth", "egress_price"),
            group=STORAGE,
        ),
    ),
    groups={
        DATA: "Data and training step",
        WORKERS: "Workers",
        STORAGE: "Storage",
        CACHE: "Cache",
        MACHINE: "Job",
        SHUFFLE: "Shuffle",
    },
    assumptions=(
        "Steady state: all workers are alike, batches come in order, and training does not use their cores.",
        "Every epoch reads every sample once in a new random order, split at random among nodes.",
        "Rates are averages, so the utilization is an upper bound; late batches lower it.",
        "The read latency is a mean, independent of load; a saturated storage system is slower.",
    ),
    omits=(
        "Copies from host memory to the GPU, and batch assembly.",
        "Opening and listing files: the metadata rate of storage may be the limit before its bandwidth.",
        "Load of other nodes and jobs on the same storage: size it with Storage demand.",
        "Threads that share Python's global interpreter lock.",
    ),
    result_aliases={"samples_per_second": "loader_samples_per_second", "headroom": "loader_headroom"},
    recommendations=recommendations,
    recommendations_heading="Recommendations: keep the GPUs busy",
    tables=(CONVENTIONS,),
    run_reader=RunReader(
        title="Your own measurement",
        about="GPU utilization of your MLPerf Storage run, or the time of a read in your fio run, next to what the "
        "loader needs. Nothing leaves this page.",
        formats="summary.json of MLPerf Storage or fio JSON",
        module="calculators.subjects.storage.data_loader.measured",
    ),
    picture=Bars(
        title="Samples/s per GPU",
        rows=(
            bar("CPU workers", decode_rate="other"),
            bar("Outstanding reads", stream_rate="write"),
            bar("Network port", loader_port_rate="weights"),
            bar("With cache", fetch_rate="cache"),
            bar("Delivered", loader_samples_per_second="work", waited_rate="stall"),
        ),
        limit="gpu_rate",
        limit_label="GPU demand",
        reached=True,
        at_most=4,
    ),
)
