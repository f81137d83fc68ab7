"""Verdicts on storage: the limit that sets the node count, the network, checkpoint bursts and drive wear."""

from math import ceil

from calculators.declare import Verdict, constraint, formulas_of, verdict
from calculators.units import DAY

HALF = 0.5
_BURSTS_COVERED = "Bandwidth for bursts comes with it: "


@verdict("Limit that sets the node count", good="", bad="storage_nodes=1")
def binding(
    storage_nodes: float,
    nodes_needed: float,
    fewest_nodes: float,
    storage_nodes_for_read: float,
    storage_nodes_for_write: float,
    storage_nodes_for_requests: float,
    storage_nodes_for_metadata: float,
    storage_nodes_for_capacity: float,
    storage_nodes_for_endurance: float,
) -> Verdict:
    """Name of the limit that needs the most nodes; good if capacity, endurance or protection needs as many.

    Nodes are bought whole: if those need as many as bursts do, no node is bought for bursts alone. Too few are bad.
    """
    lasting = {
        "cluster size": (fewest_nodes, "the minimum cluster size is {fewest_nodes}."),
        "endurance": (
            storage_nodes_for_endurance,
            "drives that last for their warranty need {storage_nodes_for_endurance}.",
        ),
        "capacity": (storage_nodes_for_capacity, "retained data fills {storage_nodes_for_capacity}."),
    }
    bursts = {
        "read bandwidth": (storage_nodes_for_read, "{storage_nodes_for_read} to read {read_demand}"),
        "write bandwidth": (storage_nodes_for_write, "{storage_nodes_for_write} to write {write_demand}"),
        "requests": (storage_nodes_for_requests, "{storage_nodes_for_requests} to serve {request_demand}"),
        "metadata": (storage_nodes_for_metadata, "{storage_nodes_for_metadata} to serve {metadata_demand}"),
    }
    needed = {**lasting, **bursts}
    name = max(needed, key=lambda limit: needed[limit][0])
    if storage_nodes < nodes_needed:
        reason = f"Too few for {name} with {{storage_nodes}}: {needed[name][1]}"
        return Verdict(level="bad", word=name, reason=reason if reason.endswith(".") else reason + ".")
    if name in lasting:
        return Verdict(level="good", word=name, reason=_BURSTS_COVERED + needed[name][1])
    most = max(lasting, key=lambda limit: lasting[limit][0])
    without_bursts = {
        "cluster size": "the minimum cluster size is {fewest_nodes}",
        "endurance": "endurance needs {storage_nodes_for_endurance}",
        "capacity": "capacity needs {storage_nodes_for_capacity}",
    }[most]
    if ceil(lasting[most][0]) >= needed[name][0]:
        covered = f"Bursts need {needed[name][1]}, within the {{nodes_needed}} bought anyway: {without_bursts}."
        return Verdict(level="good", word=name, reason=covered)
    return Verdict(
        level="tight",
        word=name,
        reason=f"Bursts need {needed[name][1]}, more than retained data fills: {without_bursts}.",
    )


@verdict("Storage network", good="", bad="client_network=1MB/s")
def network_carries(
    reader_supply: float, client_supply: float, store_network: float, read_demand: float, write_demand: float
) -> Verdict:
    """Whether the ports of GPU nodes and storage nodes carry reads and writes; names the slow side."""
    if reader_supply < read_demand:
        return Verdict(
            level="bad",
            word="too slow to read",
            reason="Each GPU node needs {read_per_gpu_node}; "
            "its storage network delivers {path_efficiency} of {client_network}.",
        )
    if client_supply < write_demand:
        return Verdict(
            level="bad",
            word="too slow to write",
            reason="A checkpoint written by {writer_nodes} needs {write_per_writer_node} of each; "
            "with {client_network} each they send {client_supply} together.",
        )
    if store_network < max(read_demand, write_demand):
        return Verdict(
            level="bad",
            word="too slow at storage",
            reason="The ports of {storage_nodes} carry {store_network}; "
            "reads need {read_demand}, writes {write_demand}.",
        )
    return Verdict(
        level="good",
        word="OK",
        reason="Reads of {read_demand} and writes of {write_demand} fit: GPU nodes receive {reader_supply} and send "
        "{client_supply}, storage ports carry {store_network}.",
    )


@verdict(
    "Checkpoint write time in the interval", good="", tight="client_network=30MB/s", bad="checkpoint_interval=1min"
)
def burst_ends(
    burst_time: float,
    write_window: float,
    durable_interval: float,
    local_checkpoints_per_day: float,
    local_write_time: float,
) -> Verdict:
    """Whether a checkpoint write takes at most half of the interval, and local checkpoints finish before the next."""
    slow = burst_time > write_window
    takes = "A write takes {burst_time}" if slow else "A write may take {write_window}"
    limit = ", more than its limit of {write_window}" if slow else ""
    if local_checkpoints_per_day * local_write_time > DAY:
        return Verdict(
            level="bad",
            word="local drives too slow",
            reason="A local checkpoint takes {local_write_time}, with {local_checkpoints_per_day} per day: "
            "the next begins before the GPU nodes' drives have written the last.",
        )
    if burst_time <= durable_interval * HALF:
        return Verdict(
            level="tight" if slow else "good",
            word="limit missed" if slow else "OK",
            reason=f"{takes} of the {{durable_interval}} interval{limit}.",
        )
    if burst_time <= durable_interval:
        return Verdict(
            level="bad",
            word="too little pause",
            reason=f"{takes} of the {{durable_interval}} interval: "
            "storage writes checkpoints more than 50% of the time.",
        )
    every = "" if slow else ", and a checkpoint begins every {effective_interval}"
    return Verdict(
        level="bad",
        word="too slow",
        reason=f"{takes}, longer than the {{durable_interval}} interval: writes queue{every}.",
    )


@verdict("Drive endurance", good="", bad="storage_nodes=3&drive_writes_per_day=0.1")
def drives_last(
    drive_life: float, drive_warranty: float, kv_written: float, local_drive_life: float, shared_index_written: float
) -> Verdict:
    """Whether checkpoints, new KV caches and a vector index wear out drives in their warranty, local ones included."""
    *first, last = (
        "Checkpoints",
        *(["new KV caches"] if kv_written else []),
        *(["the vector index"] if shared_index_written else []),
    )
    written = " and ".join([*([", ".join(first)] if first else []), last])
    if local_drive_life < drive_warranty <= drive_life:
        return Verdict(
            level="bad",
            word="local drives wear out",
            reason="Storage drives last {drive_life}, but local checkpoints wear out the GPU nodes' drives "
            "in {local_drive_life}, within their {drive_warranty} warranty.",
        )
    if drive_life >= drive_warranty:
        return Verdict(
            level="good",
            word="OK",
            reason=f"{written} are {{writes_per_drive_and_day}} drive writes per day, rated {{drive_writes_per_day}}.",
        )
    return Verdict(
        level="bad",
        word="drives wear out",
        reason=f"{written} wear out the drives in {{drive_life}}, within their {{drive_warranty}} warranty.",
    )


@constraint("effective_interval", speaks="effective_interval=1min", silent="")
def no_sooner_than_due(effective_interval: float, durable_interval: float) -> str:
    """Checkpoints do not come more often than set."""
    if effective_interval >= durable_interval:
        return ""
    return (
        "The effective checkpoint interval {effective_interval} is shorter than the {durable_interval} set: "
        "leave it empty, or checkpoint as often"
    )


@constraint(
    "local_interval",
    speaks="persist_every=30&checkpoint_interval=2min&local_interval=3min",
    silent="persist_every=30&checkpoint_interval=2min&local_interval=2min",
)
def one_local_interval(local_interval: float | None, checkpoint_interval: float, persist_every: float) -> str:
    """Two intervals for the same local checkpoints."""
    if local_interval is None or persist_every == 1 or local_interval == checkpoint_interval:
        return ""
    return (
        "With one checkpoint in {persist_every} persisted, all are local, one every {checkpoint_interval}, not every "
        "{local_interval}: leave one of the three out"
    )


@constraint("restore_copies", speaks="gpus=8&restore_copies=9", silent="gpus=8&restore_copies=8")
def no_more_copies_than_gpus(restore_copies: float, gpus: float) -> str:
    """At most one replica per GPU reads in a restore."""
    if restore_copies <= gpus:
        return ""
    return "Replicas that read in a restore must be at most one per GPU of {gpus}, not {restore_copies}"


@constraint("writer_nodes", speaks="gpus=8&writer_nodes=2", silent="gpus=8&writer_nodes=1")
def no_more_writers_than_nodes(writer_nodes: float, gpu_nodes: float) -> str:
    """Only GPU nodes hold state to be written."""
    if writer_nodes <= gpu_nodes:
        return ""
    return "GPU nodes that write a checkpoint must be at most all {gpu_nodes}, not {writer_nodes}"


FORMULAS = formulas_of(globals())
