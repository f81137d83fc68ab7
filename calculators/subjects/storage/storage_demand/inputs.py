"""Inputs of storage demand: the job, and the storage system that feeds it, in base units (B, s, B/s)."""

from dataclasses import dataclass

from calculators import facts
from calculators.declare import choice, computed, not_applicable, quantity
from calculators.subjects.storage.storage_demand.groups import CACHES, INDEX, LOAD, NODE, PROTECT
from calculators.subjects.storage.storage_demand.kinds import (
    LARGEST,
    Tier,
    amount,
    duration,
    node_fact,
    rate,
    rate_or_none,
    text_fact,
    yearly_growth,
)
from calculators.units import DAY, MINUTE, YEAR
from calculators.vocabulary.accelerators import gpus
from calculators.vocabulary.groups import CHECKPOINT, RETENTION
from calculators.vocabulary.nodes import gpus_per_node
from calculators.vocabulary.storage import (
    DATA,
    DRIVE,
    NEAR,
    cache_hit_share,
    checkpoint_interval,
    cold_checkpoints,
    copies_per_shard,
    drive_capacity,
    drive_fact,
    drive_read,
    drive_warranty,
    drive_writes_per_day,
    fill_share,
    growth,
    growth_years,
    hot_checkpoints,
    local_write,
    persist_every,
    sample_bytes,
    samples_per_second,
    warm_checkpoints,
    write_window,
)

_LLAMA = float(facts.fact("llama-3-1-405b.parameters").value)
_STATE = float(facts.fact("ckpt-bf16-master-adam").value)
_WEIGHTS = float(facts.fact("ckpt-weights-bf16").value)


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Inputs of storage demand."""

    gpus: float = gpus(16384)
    gpus_per_node: float = gpus_per_node()
    samples_per_second: float = samples_per_second(text_fact("samples_per_second"))
    sample_bytes: float = sample_bytes(text_fact("sample_bytes"))
    cache_hit_share: float = cache_hit_share(0)
    read_size: float = quantity(
        2.0**20,
        "B",
        "Read request size",
        hard=(512, 2.0**30),
        slider=(4096, 16 * 2.0**20),
        scale="log",
        doubling=True,
        binary=True,
        help="Bytes that the data loader requests in one read.",
        group=DATA,
    )
    files_per_sample: float = quantity(
        text_fact("files_per_sample"),
        "1",
        "Files opened per sample",
        hard=(0, 1),
        help="0 for samples packed into large shards, 1 for one file per sample.",
        group=DATA,
    )
    operations_per_file: float = quantity(
        3,
        "operation",
        "Metadata operations per file",
        hard=(1, 100),
        slider=(1, 10),
        help="Open, read attributes, close.",
        group=DATA,
    )
    checkpoint_size: float = amount(
        _LLAMA * _STATE,
        "Checkpoint size",
        (1e10, 1e14),
        group=CHECKPOINT,
        about="405B parameters of 14 bytes are 5.68 TB.",
    )
    checkpoint_interval: float = checkpoint_interval(
        facts.fact("checkpoint-interval-typical"), shortest=MINUTE, about="Local checkpoints included, if any."
    )
    persist_every: float = persist_every(1)
    effective_interval: float = duration(
        computed("spaced_interval", "as set, or the write time if longer"),
        "Effective persist interval",
        (1e-3, 365 * DAY),
        (MINUTE, 6 * 60 * MINUTE),
        group=CHECKPOINT,
        about="One checkpoint at a time: the next begins when the last is restorable.",
    )
    write_window: float = write_window()
    writer_nodes: float = quantity(
        computed("gpu_nodes", "all GPU nodes"),
        "node",
        "GPU nodes that write a checkpoint",
        hard=(1, 10e6),
        slider=(1, 16384),
        scale="log",
        whole=True,
        help="Nodes that hold the state to be written: those of one replica, or all if replicas share the write.",
        group=CHECKPOINT,
    )
    restore_copies: float = quantity(
        1,
        "1",
        "Replicas that read in a restore",
        hard=(1, 10e6),
        slider=(1, 1024),
        scale="log",
        whole=True,
        help="1 if one replica reads and broadcasts the state; the number of replicas if each reads by itself.",
        group=LOAD,
    )
    restore_window: float = duration(2 * MINUTE, "Restore time limit", (0.1, DAY), (10, 60 * MINUTE), group=LOAD)
    weights_size: float = amount(
        _LLAMA * _WEIGHTS,
        "Weights of a replica",
        (1e9, 1e13),
        group=LOAD,
        about="Weights as one inference replica loads them.",
    )
    weights_replicas: float = quantity(
        0,
        "replica",
        "Replicas that start at once",
        hard=(0, 1e6),
        slider=(0, 2000),
        whole=True,
        help="Inference replicas that load weights at the same time, after a rollout or an outage.",
        group=LOAD,
    )
    load_window: float = duration(MINUTE, "Weight loading time limit", (0.1, DAY), (5, 60 * MINUTE), group=LOAD)
    broadcast_bandwidth: float = rate(
        facts.fact("broadcast-bandwidth"),
        "Weight broadcast bandwidth",
        (1e9, 800e9),
        group=LOAD,
        about="Node to node, if weights are read once and broadcast.",
    )
    kv_read: float = rate_or_none(
        "KV-cache reads from shared storage",
        about="Offloaded caches of conversations, read all day: see Inference with an offload tier on shared storage.",
    )
    kv_written: float = rate_or_none(
        "KV-cache writes to shared storage", about="New offloaded caches; they also wear the drives."
    )
    kv_kept: float = quantity(
        0,
        "B",
        "KV cache on shared storage",
        hard=(0, LARGEST),
        slider=(0, 1e15),
        help="On the hot tier, for all sessions that may return.",
        group=CACHES,
    )
    shared_index_read: float = rate_or_none(
        "Index reads from shared storage", about="Of a vector index on this storage: see Retrieval.", group=INDEX
    )
    shared_index_requests: float = quantity(
        0,
        "IOPS",
        "Index requests to shared storage",
        hard=(0, 1e12),
        slider=(0, 10e6),
        help="Small random reads of vector searches.",
        group=INDEX,
    )
    shared_index_kept: float = quantity(
        0,
        "B",
        "Vector index on shared storage",
        hard=(0, LARGEST),
        slider=(0, 1e15),
        help="All copies, at the size they will have: growth is not added.",
        group=INDEX,
    )
    shared_index_written: float = rate_or_none(
        "Index writes to shared storage", about="Changes, merges and rebuilds; they also wear the drives.", group=INDEX
    )
    prepared_data: float = amount(
        text_fact("prepared_data"), "Prepared data set", (1e10, 1e17), group=RETENTION, about="On the hot tier."
    )
    raw_data: float = amount(
        text_fact("raw_data"), "Raw data", (1e10, 1e18), group=RETENTION, about="Originals, before they are prepared."
    )
    raw_tier: Tier = choice(
        "warm",
        "Raw data kept on",
        {"hot": "hot tier", "warm": "warm tier, object storage", "cold": "cold tier, archive"},
        help="Originals that are read again for each version or rebuild are not cold: see Data lifecycle.",
        group=RETENTION,
    )
    hot_checkpoints: float = hot_checkpoints()
    warm_checkpoints: float = warm_checkpoints()
    cold_checkpoints: float = cold_checkpoints(10)
    warm_interval: float = duration(
        DAY, "Interval of warm checkpoints", (1, 365 * DAY), (60 * MINUTE, 14 * DAY), group=RETENTION
    )
    weight_versions: float = quantity(
        4, "1", "Weight versions retained: hot", hard=(0, 1e6), slider=(0, 40), whole=True, group=RETENTION
    )
    logs_per_day: float = amount(facts.fact("logs-a-day"), "Logs per day", (1e9, 1e14), group=RETENTION)
    rollouts_stored_per_day: float = quantity(
        0,
        "B/day",
        "Rollouts retained per day",
        hard=(0, 1e18 / DAY),
        slider=(0, 1e9),
        help="Of RL post-training, in object storage and retained as long as logs: see RL post-training.",
        group=RETENTION,
    )
    log_retention: float = duration(90 * DAY, "Log retention", (0, 100 * YEAR), (DAY, 3 * YEAR), group=RETENTION)
    growth: float = growth()
    growth_years: float = growth_years()
    checkpoint_growth: float = yearly_growth(
        "Growth of checkpoints", "Checkpoints grow with the model, not with the calendar."
    )
    log_growth: float = yearly_growth("Growth of logs", "")
    data_fragments: float = quantity(
        8,
        "1",
        "Data fragments",
        hard=(1, 256),
        slider=(1, 32),
        whole=True,
        help="Data fragments per stripe; 1 data and 2 parity fragments are three-way replication.",
        group=PROTECT,
    )
    parity_fragments: float = quantity(
        2,
        "1",
        "Parity fragments",
        hard=(0, 16),
        whole=True,
        help="Fragments of a stripe that may be lost without losing data.",
        group=PROTECT,
    )
    fill_share: float = fill_share(PROTECT)
    rebuild_share: float = quantity(
        facts.fact("rebuild-share"),
        "share",
        "Rebuild bandwidth share",
        hard=(0.001, 1),
        slider=(0.05, 1),
        help="Share of each drive's bandwidth; the job has the rest.",
        group=PROTECT,
    )
    drive_failure_rate: float = quantity(
        facts.fact("drive-afr"),
        "share",
        "Annual drive failure rate (AFR)",
        hard=(0, 1),
        slider=(0.001, 0.1),
        scale="log",
        group=PROTECT,
    )
    storage_nodes: float = quantity(
        computed("storage_nodes", "enough for all limits"),
        "node",
        "Storage nodes",
        hard=(1, 1e9),
        slider=(1, 2000),
        scale="log",
        whole=True,
        help="Set it if the number is already decided.",
        group=NODE,
    )
    drives_per_node: float = quantity(
        node_fact("drives_per_node"),
        "drive",
        "Drives per storage node",
        hard=(1, 1000),
        slider=(1, 48),
        whole=True,
        group=NODE,
    )
    node_network: float = rate(
        node_fact("node_network"),
        "Network bandwidth per storage node",
        (1e9, 400e9),
        group=NODE,
        about="All ports, one direction.",
    )
    network_port: float = rate(node_fact("network_port"), "Network port bandwidth", (1e9, 200e9), group=NODE)
    client_network: float = rate(
        facts.fact("client-port"),
        "Storage network bandwidth per GPU node",
        (1e9, 400e9),
        group=NODE,
        about="One direction.",
    )
    path_efficiency: float = quantity(
        facts.fact("path-efficiency"),
        "share",
        "Network efficiency (share of line rate)",
        hard=(0.01, 1),
        slider=(0.5, 0.97),
        group=NODE,
    )
    node_iops: float = quantity(
        facts.fact("node-requests"),
        "IOPS",
        "Read IOPS per storage node",
        hard=(1, 1e12),
        slider=(1e4, 1e8),
        scale="log",
        group=NODE,
    )
    node_metadata_rate: float = quantity(
        facts.fact("node-metadata"),
        "IOPS",
        "Metadata operations/s per storage node",
        hard=(1, 1e12),
        slider=(1000, 1e6),
        scale="log",
        group=NODE,
    )
    rule_per_gpu: float = quantity(
        facts.fact("storage-read-per-gpu-heuristic").value,
        "B/s",
        "Rule of thumb: read bandwidth per GPU",
        hard=(1, 1e12),
        slider=(1e6, 10e9),
        scale="log",
        help="For comparison only; it sizes nothing.",
        group=NODE,
    )
    drive_capacity: float = drive_capacity()
    drive_read: float = drive_read()
    drive_write: float = rate(
        drive_fact("drive_write"),
        "Drive write bandwidth",
        (0.1e9, 30e9),
        group=DRIVE,
        about="Sustained, beyond the drive's cache.",
    )
    drive_writes_per_day: float = drive_writes_per_day()
    drive_warranty: float = drive_warranty()
    local_interval: float | None = duration(
        not_applicable("none"),
        "Local checkpoint interval",
        (1, 30 * DAY),
        (10, 60 * MINUTE),
        group=NEAR,
        about="Checkpoints that stay on the GPU nodes' own drives, in addition to those on the storage system. "
        "With persist every n-th checkpoint above 1 the others are local: leave this empty.",
        aliases=("near_interval",),
    )
    copies_per_shard: float = copies_per_shard()
    local_drives: float = quantity(
        8, "drive", "Local drives per GPU node", hard=(1, 100), slider=(1, 16), whole=True, group=NEAR
    )
    local_capacity: float = quantity(
        3.84e12,
        "B",
        "Local drive capacity",
        hard=(1e9, 1e16),
        slider=(0.5e12, 64e12),
        scale="log",
        help="A DGX B200 has eight data drives of 3.84 TB.",
        group=NEAR,
    )
    local_write: float = local_write()
