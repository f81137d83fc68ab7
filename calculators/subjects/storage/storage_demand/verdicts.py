"""Verdicts on a store: which limit decides, whether the network carries it, bursts end and drives last."""

from math import ceil

from calculators.declare import Verdict, constraint, formulas_of, verdict
from calculators.units import DAY

HALF = 0.5
_CARRIED_BY_KEEPING = "What is kept and protected asks for most, and carries the bursts too: "


@verdict("Does what capacity buys also carry the bursts?")
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
    """The limit that asks for most nodes, by name; good where capacity, endurance or protection buys the rest.

    Nodes are bought whole: where these buy as many as the bursts want, nothing is bought for bursts alone.
    """
    kept = {
        "fewest nodes": (fewest_nodes, "the fewest that outlive one are {fewest_nodes}."),
        "endurance": (
            storage_nodes_for_endurance,
            "to last as long as the warranty, drives must fill {storage_nodes_for_endurance}.",
        ),
        "capacity": (storage_nodes_for_capacity, "all that is kept fills {storage_nodes_for_capacity}."),
    }
    bursts = {
        "read bandwidth": (storage_nodes_for_read, "{storage_nodes_for_read}, to read {read_demand}"),
        "write bandwidth": (storage_nodes_for_write, "{storage_nodes_for_write}, to write {write_demand}"),
        "requests": (storage_nodes_for_requests, "{storage_nodes_for_requests}, to serve {request_demand}"),
        "metadata": (storage_nodes_for_metadata, "{storage_nodes_for_metadata}, to serve {metadata_demand}"),
    }
    asked = {**kept, **bursts}
    name = max(asked, key=lambda limit: asked[limit][0])
    if storage_nodes < nodes_needed:
        limit = "protection" if name == "fewest nodes" else name
        reason = f"With {{storage_nodes}} there are too few for {limit}: {asked[name][1]}"
        return Verdict(level="bad", word=name, reason=reason if reason.endswith(".") else reason + ".")
    if name in kept:
        return Verdict(level="good", word=name, reason=_CARRIED_BY_KEEPING + asked[name][1])
    most = max(kept, key=lambda limit: kept[limit][0])
    beside = {
        "fewest nodes": "{fewest_nodes} that protection asks for",
        "endurance": "{storage_nodes_for_endurance} that endurance asks for",
        "capacity": "{storage_nodes_for_capacity} that capacity asks for",
    }[most]
    if ceil(kept[most][0]) >= asked[name][0]:
        carried = f"Bursts ask for most, {asked[name][1]}, but it takes {{nodes_needed}} anyway: for the {beside}."
        return Verdict(level="good", word=name, reason=carried)
    return Verdict(
        level="bad",
        word=name,
        reason=f"Bursts buy nodes that nothing fills: {asked[name][1]}, beside {beside}.",
    )


@verdict("Does the network carry it?")
def network_carries(
    reader_supply: float, client_supply: float, store_network: float, read_demand: float, write_demand: float
) -> Verdict:
    """Whether the ports of GPU nodes and of the store carry reads and writes; the narrow side by name."""
    if reader_supply < read_demand:
        return Verdict(
            level="bad",
            word="too narrow to read",
            reason="Each GPU node wants {read_per_gpu_node}; "
            "its {client_network} carry {path_efficiency} of that line rate.",
        )
    if client_supply < write_demand:
        return Verdict(
            level="bad",
            word="too narrow to write",
            reason="The GPU nodes that write, {writer_nodes}, would send {write_per_writer_node} each; "
            "{client_network} for each of them carry {client_supply} in all.",
        )
    if store_network < max(read_demand, write_demand):
        return Verdict(
            level="bad",
            word="too narrow at the store",
            reason="The ports of {storage_nodes} carry {store_network}; "
            "reads ask for {read_demand}, writes for {write_demand}.",
        )
    return Verdict(
        level="good",
        word="carried",
        reason="GPU nodes take {reader_supply} and send {client_supply}, the store's ports carry {store_network}: "
        "{read_demand} are read, {write_demand} written.",
    )


@verdict("Does the burst end before the next?")
def burst_ends(
    write_window: float, durable_interval: float, near_saves_per_day: float, local_write_time: float
) -> Verdict:
    """Whether a save leaves the store at least half of the interval for everything else, and near saves end in time."""
    if near_saves_per_day * local_write_time > DAY:
        return Verdict(
            level="bad",
            word="near saves meet",
            reason="A near save takes {local_write_time}, and {near_saves_per_day} are due a day: "
            "the GPU nodes' own drives have not written one when the next begins.",
        )
    if write_window <= durable_interval * HALF:
        return Verdict(
            level="good",
            word="bursts end",
            reason="A save may take {write_window} of the {durable_interval} there are.",
        )
    if write_window <= durable_interval:
        return Verdict(
            level="bad",
            word="hardly a pause",
            reason="A save may take {write_window} of the {durable_interval} until the next: "
            "the store writes more than half of the time.",
        )
    return Verdict(
        level="bad",
        word="bursts meet",
        reason="A save may take {write_window}, but the next is due after {durable_interval}: "
        "they queue, and one begins every {effective_interval}.",
    )


@verdict("Do the drives outlive their warranty?")
def drives_last(drive_life: float, drive_warranty: float, kv_written: float, near_drive_life: float) -> Verdict:
    """Whether saves, and new caches of a serving fleet, wear drives out before their warranty ends, near ones too."""
    written = "Saves and new caches" if kv_written else "Saves"
    if near_drive_life < drive_warranty <= drive_life:
        return Verdict(
            level="bad",
            word="near drives wear out",
            reason="The store's drives last {drive_life}, but near saves wear the GPU nodes' own out "
            "in {near_drive_life}, before the {drive_warranty} of their warranty.",
        )
    if drive_life >= drive_warranty:
        return Verdict(
            level="good",
            word="drives last",
            reason=f"{written} come to {{writes_per_drive_and_day}} drive writes a day, "
            "of {drive_writes_per_day} rated.",
        )
    return Verdict(
        level="bad",
        word="drives wear out",
        reason=f"{written} wear the drives out in {{drive_life}}, before the {{drive_warranty}} of their warranty.",
    )


@constraint("effective_interval")
def no_sooner_than_due(effective_interval: float, durable_interval: float) -> str:
    """Saves do not come more often than they are set to."""
    if effective_interval >= durable_interval:
        return ""
    return (
        "Saves that are due every {durable_interval} do not come every {effective_interval}: leave it, or save as often"
    )


@constraint("near_interval")
def near_saves_are_described_once(near_interval: float | None, checkpoint_interval: float, persist_every: float) -> str:
    """Two rhythms for the same near saves."""
    if near_interval is None or persist_every == 1 or near_interval == checkpoint_interval:
        return ""
    return (
        "With one save in {persist_every} durable every save is a near one, so that one comes every "
        "{checkpoint_interval}, not every {near_interval}: leave one of the three out"
    )


@constraint("restore_copies")
def no_more_copies_than_gpus(restore_copies: float, gpus: float) -> str:
    """A GPU restores one copy at most."""
    if restore_copies <= gpus:
        return ""
    return "Copies read in a restore must be at most one for each of {gpus}, not {restore_copies}"


@constraint("writer_nodes")
def no_more_writers_than_nodes(writer_nodes: float, gpu_nodes: float) -> str:
    """Only GPU nodes hold state to be written."""
    if writer_nodes <= gpu_nodes:
        return ""
    return "GPU nodes that write a save must be at most the {gpu_nodes} there are, not {writer_nodes}"


FORMULAS = formulas_of(globals())
