"""Inputs of goodput: what readers may set about failures, saves, restarts, tiers, spares and upkeep."""

from dataclasses import dataclass

from calculators import facts
from calculators.declare import computed, not_applicable, quantity, step
from calculators.units import DAY, HOUR, MINUTE, YEAR
from calculators.vocabulary.accelerators import gpus
from calculators.vocabulary.groups import KEEP, MACHINE, SAVE
from calculators.vocabulary.nodes import gpus_per_node
from calculators.vocabulary.storage import checkpoint_interval, hot_checkpoints, persist_every, warm_checkpoints

RESTART, TIERS, SPARES, UPKEEP = "restart", "tiers", "spares", "upkeep"
_MILLISECOND = 1e-3
_SAVE = float(facts.fact("bytecheckpoint-405b.save").value)
_EVERY = float(facts.fact("durable-every").value)


@step("s", "Usually safe after", source="bytecheckpoint")
def usual_time_to_safe(checkpoint_stall: float) -> float:
    """From the start of a save until it is safe [s], as measured for 405B, or the stall if that is longer."""
    return max(checkpoint_stall, _SAVE)


@step("1", "Usual saves for one that is durable")
def usual_durable_every(rare_failure_share: float | None) -> float:
    """How many saves there are for one that is durable: all are, unless some failures take near copies along.

    Then the usual number, an assumption: durable once an hour where it saves every two minutes.
    """
    return 1 if rare_failure_share is None else _EVERY


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """What the reader may set; base units (seconds, shares)."""

    gpus: float = gpus(16384)
    gpu_mtbf: float = quantity(
        facts.fact("gpu-mtbf"),
        "h",
        "Time between failures, per GPU",
        hard=(100 * HOUR, 1e7 * HOUR),
        slider=(5_000 * HOUR, 200_000 * HOUR),
        scale="log",
        help="Everything that stops the job, counted per GPU. Parts in series add their rates.",
        group=MACHINE,
    )
    checkpoint_interval: float = checkpoint_interval(
        computed("best_interval", "best"), shortest=10, about="Otherwise the one that keeps most of the time."
    )
    checkpoint_stall: float = quantity(
        facts.fact("bytecheckpoint-405b.training_blocked"),
        "s",
        "Training stalls for",
        hard=(_MILLISECOND, HOUR),
        slider=(0.01, 10 * MINUTE),
        scale="log",
        help="How long each save stops training: the whole write when it blocks, else the copy out of the GPUs.",
        group=SAVE,
    )
    time_to_safe: float = quantity(
        computed("usual_time_to_safe", "as measured"),
        "s",
        "Until the save is safe",
        hard=(_MILLISECOND, HOUR),
        slider=(0.1, 30 * MINUTE),
        scale="log",
        help="From the start of a save until a restart could read it. Equal to the stall when saves block.",
        group=SAVE,
    )
    detection_time: float = quantity(
        facts.fact("failure-detection-time"),
        "s",
        "Until a failure is noticed",
        hard=(0, 2 * HOUR),
        slider=(0, 30 * MINUTE),
        help="A crash shows in seconds; a hang waits for the collectives' timeout, 10 to 30 min.",
        group=RESTART,
    )
    restart_time: float = quantity(
        facts.fact("restart-after-detection"),
        "s",
        "Restart",
        hard=(0, 2 * HOUR),
        slider=(0, 30 * MINUTE),
        help="From the moment it is noticed until ranks can load: new nodes, processes, communicators.",
        group=RESTART,
    )
    restore_time: float = quantity(
        facts.fact("bytecheckpoint-405b.load"),
        "s",
        "Restore time",
        hard=(0, 2 * HOUR),
        slider=(0, 30 * MINUTE),
        help="Reading the newest save back.",
        group=RESTART,
    )
    rare_failure_share: float | None = quantity(
        not_applicable("none"),
        "share",
        "Failures that take near copies along",
        hard=(0, 1),
        slider=(0, 0.5),
        help="With two tiers of saves: failures after which only a durable save can be read, such as a rack without "
        "power. Nobody has published it. None: one tier.",
        group=TIERS,
    )
    persist_every: float = persist_every(computed("usual_durable_every", "one tier, or the usual two"), group=TIERS)
    durable_stall: float = quantity(
        0,
        "s",
        "A durable save stalls for",
        hard=(0, HOUR),
        slider=(0, 10 * MINUTE),
        help="Beyond the stall of the near save it is made from.",
        group=TIERS,
    )
    durable_time_to_safe: float = quantity(
        facts.fact("bytecheckpoint-405b.save"),
        "s",
        "Until the durable save is safe",
        hard=(_MILLISECOND, DAY),
        slider=(1, HOUR),
        scale="log",
        help="From the start of the save it is made from.",
        group=TIERS,
    )
    durable_restore_time: float = quantity(
        facts.fact("bytecheckpoint-405b.load"),
        "s",
        "Restore from durable storage",
        hard=(0, DAY),
        slider=(0, HOUR),
        help="Reading a durable save back after a failure that took the near copies.",
        group=TIERS,
    )
    spare_nodes: float = quantity(
        16,
        "node",
        "Spare nodes",
        hard=(0, 10_000),
        slider=(0, 256),
        whole=True,
        help="Powered, tested and free. ByteRobust keeps four for 1,024.",
        group=SPARES,
    )
    node_repair_time: float | None = quantity(
        not_applicable("none"),
        "s",
        "Repair of a node",
        hard=(0, 60 * DAY),
        slider=(HOUR, 30 * DAY),
        scale="log",
        help="Two hours for a reboot, days for a part. None: spares never run out.",
        group=SPARES,
    )
    node_failure_share: float = quantity(
        facts.fact("llama3-hardware-share"),
        "share",
        "Failures that take a node out",
        hard=(0, 1),
        help="Failures of hardware, after which a node is repaired.",
        group=SPARES,
    )
    gpus_per_node: float = gpus_per_node()
    planned_interval: float | None = quantity(
        not_applicable("none"),
        "s",
        "Between planned stops",
        hard=(MINUTE, YEAR),
        slider=(HOUR, 90 * DAY),
        scale="log",
        help="Firmware, maintenance, changes of the code: Llama 3 had one every 27.6 h. None: no planned stops.",
        group=UPKEEP,
    )
    planned_stop: float = quantity(
        0,
        "s",
        "A planned stop takes",
        hard=(0, YEAR),
        slider=(0, 4 * HOUR),
        help="Beside a last save and coming back.",
        group=UPKEEP,
    )
    corruption_gpu_mtbf: float | None = quantity(
        not_applicable("none"),
        "year",
        "Between silent corruptions, per GPU",
        hard=(100 * HOUR, 1e9 * HOUR),
        slider=(10 * YEAR, 10_000 * YEAR),
        scale="log",
        help="Those that are noticed in the end: Llama 3 found one in 404 GPU-years. None: not counted.",
        group=UPKEEP,
    )
    corruption_delay: float = quantity(
        facts.fact("corruption-delay"),
        "s",
        "Until corruption is noticed",
        hard=(0, 30 * DAY),
        slider=(0, 7 * DAY),
        help="An assumption: nobody has published it.",
        group=UPKEEP,
    )
    straggler_loss: float = quantity(
        0,
        "share",
        "Lost to slow nodes",
        hard=(0, 0.9),
        slider=(0, 0.5),
        help="10.4% of GPU-hours in ByteDance's jobs. It counts in what is paid, not in goodput.",
        group=UPKEEP,
    )
    hot_checkpoints: float = hot_checkpoints()
    warm_checkpoints: float = warm_checkpoints()


GROUPS = {
    MACHINE: "The job",
    SAVE: "The save",
    RESTART: "Failure and restart",
    TIERS: "Two tiers of saves",
    SPARES: "Spare nodes",
    UPKEEP: "Upkeep, corruption, slow nodes",
    KEEP: "What is kept",
}
