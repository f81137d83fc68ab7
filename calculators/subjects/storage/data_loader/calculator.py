"""The data loader: whether the input pipeline keeps GPUs fed, and which of its links is short."""

from calculators import facts
from calculators.declare import Calculator, Preset
from calculators.declare.pictures import Bars, Row, Segment
from calculators.subjects.storage.data_loader import cache, epoch, rates, shuffle, verdicts
from calculators.subjects.storage.data_loader.conventions import CONVENTIONS
from calculators.subjects.storage.data_loader.inputs import CACHE, DEFAULT_STORE, SHUFFLE, WORKERS, Inputs
from calculators.subjects.storage.data_loader.recommendations import recommendations
from calculators.vocabulary.groups import MACHINE, STORE
from calculators.vocabulary.nodes import gpu_nodes
from calculators.vocabulary.storage import DATA, workload_preset

CALCULATOR = Calculator(
    name="data_loader",
    title="Data loading",
    question="Does the input pipeline keep the GPUs fed, and if not, which link is short?",
    answer=(
        "A GPU eats {gpu_rate}; its loader brings {loader_rate}. "
        "Utilization **{accelerator_utilization}**, held back by **{limiting}**. "
        "Workers that would do: {workers_needed}; reads in flight: {reads_needed}. A node reads {loader_node_read}."
    ),
    inputs_type=Inputs,
    formulas=(
        gpu_nodes,
        *rates.FORMULAS,
        *cache.FORMULAS,
        *epoch.FORMULAS,
        *shuffle.FORMULAS,
        *verdicts.FORMULAS,
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
    first_sliders=("loader_workers", "decode_time", "step_compute_time"),
    presets=(
        workload_preset(
            "sample_bytes",
            "dataset_samples",
            secondary=("batch_size", "step_compute_time", "decode_time", "decoded_bytes", "epochs"),
        ),
        Preset(
            name="store",
            label="It reads from",
            records=tuple(facts.records("stores").values()),
            fills={name: name for name in ("read_latency", "stream_bandwidth", "node_read_bandwidth", "egress_price")},
            default=DEFAULT_STORE,
            secondary=("node_read_bandwidth", "egress_price"),
            group=STORE,
        ),
    ),
    groups={
        DATA: "The data and the step",
        WORKERS: "Workers",
        STORE: "Storage",
        CACHE: "Cache",
        MACHINE: "The job",
        SHUFFLE: "Shuffle",
    },
    assumptions=(
        "Steady state: all workers are alike, batches come in order, and the training loop leaves their cores alone.",
        "Every epoch reads every sample once, in a new random order; nodes share it out at random.",
        "The rates are averages, so the utilization is an upper bound; batches that come late lower it.",
        "The latency of a read is a mean that holds whatever the number of reads; a store that is full answers later.",
    ),
    omits=(
        "Copies from host memory to the GPU, and the work of putting batches together.",
        "Opening and listing files: a store's metadata rate may be short before its bandwidth.",
        "What other nodes and jobs take from the same store: it is sized with storage demand.",
        "Threads or processes that share an interpreter's lock.",
    ),
    result_aliases={"samples_per_second": "loader_samples_per_second", "headroom": "loader_headroom"},
    recommendations=recommendations,
    recommendations_heading="What would feed them",
    tables=(CONVENTIONS,),
    picture=Bars(
        title="Samples a second for each GPU",
        rows=(
            Row(label="Processors", segments=(Segment(value="decode_rate", tone="other"),)),
            Row(label="Concurrency", segments=(Segment(value="stream_rate", tone="write"),)),
            Row(label="Port", segments=(Segment(value="loader_port_rate", tone="weights"),)),
            Row(label="With cache", segments=(Segment(value="fetch_rate", tone="cache"),)),
            Row(
                label="GPU gets",
                segments=(
                    Segment(value="loader_samples_per_second", tone="work"),
                    Segment(value="waited_rate", tone="stall"),
                ),
            ),
        ),
        limit="gpu_rate",
        limit_label="what the GPU eats",
        reached=True,
        at_most=4,
    ),
)
