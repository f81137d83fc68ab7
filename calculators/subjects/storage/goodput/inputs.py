"""Inputs of goodput: failures, checkpoints, restarts, tiers, spare nodes and maintenance."""

from dataclasses import dataclass

from calculators import facts
from calculators.declare import computed, not_applicable, quantity, step
from calculators.units import DAY, HOUR, MINUTE, YEAR
from calculators.vocabulary.accelerators import gpus
from calculators.vocabulary.groups import CHECKPOINT, MACHINE, RETENTION
from calculators.vocabulary.nodes import gpus_per_node
from calculators.vocabulary.storage import checkpoint_interval, hot_checkpoints, persist_every, warm_checkpoints

RESTART, TIERS, SPARES, UPKEEP = "restart", "tiers", "spares", "upkeep"
_MILLISECOND = 1e-3
_SAVE = float(facts.fact("bytecheckpoint-405b.save").value)
_EVERY = float(facts.fact("durable-every").value)


@step("s", "Typical time until a checkpoint is restorable", source="bytecheckpoint")
def typical_time_to_safe(checkpoint_stall: float) -> float:
    """Time from the start of a checkpoint until it is restorable [s], as measured for 405B, or the stall if longer."""
    return max(checkpoint_stall, _SAVE)


@step("1", "Typical number of checkpoints per persisted one")
def typical_persist_every(rare_failure_share: float | None) -> float:
    """Checkpoints per persisted one: 1, unless some failures destroy local checkpoints.

    Then the typical number, an assumption: persisted once an hour with a checkpoint every 2 min.
    """
    return 1 if rare_failure_share is None else _EVERY


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """Inputs of goodput, in base units (s, shares)."""

    gpus: float = gpus(16384)
    gpu_mtbf: float = quantity(
        facts.fact("gpu-mtbf"),
        "h",
        "MTBF per GPU",
        hard=(100 * HOUR, 1e7 * HOUR),
        slider=(5_000 * HOUR, 200_000 * HOUR),
        scale="log",
        help="Mean time between failures that stop the job, per GPU. Components in series add their failure rates.",
        group=MACHINE,
    )
    checkpoint_interval: float = checkpoint_interval(
        computed("best_interval", "best"), shortest=10, about="By default the one with the highest goodput."
    )
    checkpoint_stall: float = quantity(
        facts.fact("bytecheckpoint-405b.training_blocked"),
        "s",
        "Training stall per checkpoint",
        hard=(_MILLISECOND, HOUR),
        slider=(0.01, 10 * MINUTE),
        scale="log",
        help="Time that each checkpoint stops training: the whole write if it blocks, else the copy out of the GPUs.",
        group=CHECKPOINT,
    )
    time_to_safe: float = quantity(
        computed("typical_time_to_safe", "typical, as measured"),
        "s",
        "Time until the checkpoint is restorable",
        hard=(_MILLISECOND, HOUR),
        slider=(0.1, 30 * MINUTE),
        scale="log",
        help="From the start of a checkpoint until a restart can read it. Equal to the stall if it blocks.",
        group=CHECKPOINT,
    )
    detection_time: float = quantity(
        facts.fact("failure-detection-time"),
        "s",
        "Failure detection time",
        hard=(0, 2 * HOUR),
        slider=(0, 30 * MINUTE),
        help="A crash is detected in seconds; a hang after the collective timeout, 10 to 30 min.",
        group=RESTART,
    )
    restart_time: float = quantity(
        facts.fact("restart-after-detection"),
        "s",
        "Restart time",
        hard=(0, 2 * HOUR),
        slider=(0, 30 * MINUTE),
        help="From detection until ranks can load: new nodes, processes, communicators.",
        group=RESTART,
    )
    restore_time: float = quantity(
        facts.fact("bytecheckpoint-405b.load"),
        "s",
        "Restore time",
        hard=(0, 2 * HOUR),
        slider=(0, 30 * MINUTE),
        help="Time to read the newest checkpoint.",
        group=RESTART,
    )
    rare_failure_share: float | None = quantity(
        not_applicable("none"),
        "share",
        "Failures that destroy local checkpoints",
        hard=(0, 1),
        slider=(0, 0.5),
        help="With two checkpoint tiers: share of failures after which only a persisted one can be read, such as "
        "a rack power loss. Not published. None: one tier.",
        group=TIERS,
    )
    persist_every: float = persist_every(computed("typical_persist_every", "1, or typical with two tiers"), group=TIERS)
    durable_stall: float = quantity(
        0,
        "s",
        "Extra stall per persisted checkpoint",
        hard=(0, HOUR),
        slider=(0, 10 * MINUTE),
        help="In addition to the stall of the local checkpoint that it is made from.",
        group=TIERS,
    )
    durable_time_to_safe: float = quantity(
        facts.fact("bytecheckpoint-405b.save"),
        "s",
        "Time until the persisted checkpoint is safe",
        hard=(_MILLISECOND, DAY),
        slider=(1, HOUR),
        scale="log",
        help="From the start of the local checkpoint that it is made from.",
        group=TIERS,
    )
    durable_restore_time: float = quantity(
        facts.fact("bytecheckpoint-405b.load"),
        "s",
        "Restore time from storage",
        hard=(0, DAY),
        slider=(0, HOUR),
        help="Time to read a persisted checkpoint after a failure that destroyed the local ones.",
        group=TIERS,
    )
    spare_nodes: float = quantity(
        16,
        "node",
        "Spare nodes",
        hard=(0, 10_000),
        slider=(0, 256),
        whole=True,
        help="Powered, tested and idle. ByteRobust keeps 4 for 1,024 nodes.",
        group=SPARES,
    )
    node_repair_time: float | None = quantity(
        not_applicable("none"),
        "s",
        "Node repair time",
        hard=(0, 60 * DAY),
        slider=(HOUR, 30 * DAY),
        scale="log",
        help="2 h for a reboot, days for a replacement part. None: spares never run out.",
        group=SPARES,
    )
    node_failure_share: float = quantity(
        facts.fact("llama3-hardware-share"),
        "share",
        "Failures that need a node replaced",
        hard=(0, 1),
        help="Share of failures by hardware, after which a node is repaired.",
        group=SPARES,
    )
    gpus_per_node: float = gpus_per_node()
    planned_interval: float | None = quantity(
        not_applicable("none"),
        "s",
        "Interval between planned stops",
        hard=(MINUTE, YEAR),
        slider=(HOUR, 90 * DAY),
        scale="log",
        help="Firmware, maintenance, code changes: Llama 3 had one every 27.6 h. None: no planned stops.",
        group=UPKEEP,
    )
    planned_stop: float = quantity(
        0,
        "s",
        "Duration of a planned stop",
        hard=(0, YEAR),
        slider=(0, 4 * HOUR),
        help="Without the last checkpoint before it and the restart after it.",
        group=UPKEEP,
    )
    corruption_gpu_mtbf: float | None = quantity(
        not_applicable("none"),
        "year",
        "MTBF of silent data corruption, per GPU",
        hard=(100 * HOUR, 1e9 * HOUR),
        slider=(10 * YEAR, 10_000 * YEAR),
        scale="log",
        help="Corruptions that are detected eventually: Llama 3 found one in 404 GPU-years. None: not counted.",
        group=UPKEEP,
    )
    corruption_delay: float = quantity(
        facts.fact("corruption-delay"),
        "s",
        "Corruption detection time",
        hard=(0, 30 * DAY),
        slider=(0, 7 * DAY),
        help="An assumption: no published figure.",
        group=UPKEEP,
    )
    straggler_loss: float = quantity(
        0,
        "share",
        "Time lost to stragglers",
        hard=(0, 0.9),
        slider=(0, 0.5),
        help="10.4% of GPU-hours in ByteDance's jobs. It lowers paid goodput, not goodput.",
        group=UPKEEP,
    )
    hot_checkpoints: float = hot_checkpoints()
    warm_checkpoints: float = warm_checkpoints()


GROUPS = {
    MACHINE: "Job",
    CHECKPOINT: "Checkpoint",
    RESTART: "Failure and restart",
    TIERS: "Two checkpoint tiers",
    SPARES: "Spare nodes",
    UPKEEP: "Maintenance, corruption, stragglers",
    RETENTION: "Retention",
}
