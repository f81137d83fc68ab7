"""Inputs of the data lifecycle, in base units: what comes in, how long it is kept where, work on it, media, money."""

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from calculators import facts
from calculators.declare import computed, not_applicable, placed, quantity, switch
from calculators.subjects.storage.data_lifecycle import media
from calculators.subjects.storage.storage_demand.inputs import Inputs as Demand
from calculators.units import DAY, HOUR, MINUTE, MONTH, YEAR, unit
from calculators.vocabulary import electricity
from calculators.vocabulary.groups import CHECKPOINT

ESTATE, INCOMING, PREPARED, OTHER_DATA = "estate", "incoming", "prepared", "other_data"
COPIES, WORK, RESTORE, BOUGHT, BILL = "copies", "work", "restore", "bought", "bill"
GROUPS = {
    ESTATE: "Estate",
    INCOMING: "Raw data and its ages",
    PREPARED: "Prepared data",
    CHECKPOINT: "Checkpoints and models",
    OTHER_DATA: "Caches, indexes, logs and archives",
    COPIES: "Replicas and backups",
    WORK: "Work on the data",
    RESTORE: "Restore from the cold tier",
    BOUGHT: "Capacity that is bought",
    BILL: "Money and power",
    media.HOT_MEDIA: "Hot tier",
    media.WARM_MEDIA: "Warm tier",
    media.COLD_MEDIA: "Cold tier",
}
_BIGGEST, _TB, _GB = 1e21, 1e12, 1e9
_A_MONTH = unit("TB/month").factor
_PER_TB_MONTH = unit("USD/TB/month").factor
_PER_KW_MONTH = unit("USD/kW/month").factor
_SHARED = {field.name: field for field in dataclasses.fields(Demand)}


def _shared(name: str, group: str, default: float | None = None, **stated: Any) -> Any:
    """Input of storage demand, in a group of this form, with a default of its own where one is given."""
    field = placed(_SHARED[name], group)
    declared = field.metadata["declared"]
    if default is not None:
        stated |= {"default": default}
    declared = dataclasses.replace(declared, **stated)
    return dataclasses.field(default=declared.default, metadata={"declared": declared})


def _bytes(default: Any, label: str, slider: tuple[float, float], *, group: str, about: str = "") -> Any:
    return quantity(default, "B", label, hard=(0, _BIGGEST), slider=slider, help=about, group=group)


def _arriving(default: float, label: str, *, group: str, about: str) -> Any:
    hard, slider = (0, 1e9 * _A_MONTH), (0, 1000 * _A_MONTH)
    return quantity(default * _A_MONTH, "TB/month", label, hard=hard, slider=slider, help=about, group=group)


def _growth(default: Any, label: str, *, group: str, about: str = "", most: float = 1) -> Any:
    return quantity(default, "share", label, hard=(-0.9, 10), slider=(0, most), help=about, group=group)


def _share(
    default: Any, label: str, hard: tuple[float, float] = (0, 1), *, group: str, about: str = "", most: float = 1
) -> Any:
    return quantity(default, "share", label, hard=hard, slider=(hard[0], most), help=about, group=group)


def _time(
    default: Any,
    label: str,
    hard: tuple[float, float],
    slider: tuple[float, float],
    *,
    group: str,
    about: str = "",
    symbol: str = "month",
) -> Any:
    scale: Literal["linear", "log"] = "log" if symbol == "s" else "linear"
    return quantity(default, symbol, label, hard=hard, slider=slider, scale=scale, help=about, group=group)


def _count(
    default: Any,
    label: str,
    hard: tuple[float, float],
    slider: tuple[float, float],
    *,
    group: str,
    about: str = "",
    whole: bool = False,
    symbol: str = "1",
) -> Any:
    return quantity(default, symbol, label, hard=hard, slider=slider, help=about, whole=whole, group=group)


def _bought(label: str) -> Any:
    return quantity(
        not_applicable("as needed"),
        "B",
        label,
        hard=(1e9, _BIGGEST),
        slider=(1e12, 1e18),
        scale="log",
        help="Raw, all at once, today.",
        group=BOUGHT,
    )


@dataclass(frozen=True, kw_only=True)
class Policy:
    """Ingest, and the ages at which data moves and is deleted."""

    ingest: float = _arriving(25, "Raw data arriving", group=INCOMING, about="The number to measure first.")
    ingest_growth: float = quantity(
        0.4,
        "share",
        "Growth of arrivals per year",
        hard=(-0.9, 10),
        slider=(0, 1.5),
        spread=(0.2, 0.6),
        help="Of what arrives, not of what is held. CERN's disk grew by 37% a year over eleven years, the Sequence "
        "Read Archive by 26%.",
        group=INCOMING,
    )
    raw_data: float = _shared("raw_data", INCOMING, help="Stored at month 0.")
    cold_after: float = _time(
        24 * MONTH, "Raw data goes cold after", (0, 100 * YEAR), (0, 60 * MONTH), group=INCOMING, about="Your policy."
    )
    kept_for: float = _time(
        10 * YEAR,
        "Raw data, models retained for",
        (DAY, 100 * YEAR),
        (YEAR, 30 * YEAR),
        group=INCOMING,
        about="Then deleted.",
        symbol="year",
    )
    growth_years: float = _shared(
        "growth_years", INCOMING, 3, slider=(1, 10), help="The horizon of the plan: from one month to 20 years."
    )
    hot_landing: float = _time(
        0,
        "Raw data lands hot for",
        (0, 10 * YEAR),
        (0, 3 * MONTH),
        group=INCOMING,
        about="Before triage. 0: it arrives on the warm tier.",
    )
    raw_kept: float = _share(
        1, "Share that passes triage", (0.001, 1), group=INCOMING, about="Of what landed hot; the rest is deleted."
    )
    raw_reduction: float = _count(
        1,
        "Raw data reduction",
        (1, 20),
        (1, 5),
        group=INCOMING,
        about="Logical over stored bytes: 1 for compressed media, 2 to 3 for text.",
    )
    prepared_data: float = _shared("prepared_data", PREPARED, help="One version, as training reads it.")
    version_interval: float = _time(
        6 * MONTH,
        "New version every",
        (DAY, 20 * YEAR),
        (0.25 * MONTH, 36 * MONTH),
        group=PREPARED,
        about="Of the prepared data: each reads the raw data again.",
    )
    prepared_growth: float = _growth(
        computed("ingest_growth", "as arrivals"), "Growth of prepared data", group=PREPARED, most=1.5
    )
    hot_versions: float = _count(1, "Versions retained: hot", (0, 1000), (0, 10), group=PREPARED, whole=True)
    warm_versions: float = _count(1, "Versions retained: warm", (0, 1000), (0, 10), group=PREPARED, whole=True)
    staged_share: float = _share(
        0,
        "Staged on the GPU nodes",
        (0, 10),
        group=PREPARED,
        about="Of the prepared data, on the nodes' own drives; above 100% with copies.",
    )
    training_read: float = quantity(
        10.7e6,
        "B/s",
        "Read demand of training",
        hard=(0, 1e15),
        slider=(0, 100e9),
        help="While it trains, as Storage demand calculates it.",
        group=PREPARED,
    )
    training_share: float = _share(
        facts.fact("use-of-hours"), "Share of time that trains", (0.001, 1), group=PREPARED, about="Of all hours."
    )


@dataclass(frozen=True, kw_only=True)
class Retention:
    """Data that is retained as a level or an archive, and its copies."""

    checkpoint_size: float = _shared("checkpoint_size", CHECKPOINT)
    checkpoint_interval: float = _shared("checkpoint_interval", CHECKPOINT)
    hot_checkpoints: float = _shared("hot_checkpoints", CHECKPOINT)
    warm_checkpoints: float = _shared("warm_checkpoints", CHECKPOINT)
    cold_checkpoints: float = _shared("cold_checkpoints", CHECKPOINT)
    warm_interval: float = _shared("warm_interval", CHECKPOINT)
    cold_interval: float = _time(
        facts.fact("retention-cold"), "Interval of cold checkpoints", (HOUR, 10 * YEAR), (DAY, 90 * DAY),
        group=CHECKPOINT, symbol="s", about="One milestone each.",
    )  # fmt: skip
    checkpoint_growth: float = _growth(
        0, "Growth of checkpoints", group=CHECKPOINT, about="Checkpoints grow with the model, not with the calendar."
    )
    weights_size: float = _shared("weights_size", CHECKPOINT)
    weight_versions: float = _shared("weight_versions", CHECKPOINT)
    releases_per_year: float = _count(
        4,
        "Models released per year",
        (0.1, 1000),
        (1, 52),
        group=CHECKPOINT,
        about="Each is archived when its turn is over.",
    )
    kv_kept: float = _shared("kv_kept", OTHER_DATA, help="On the GPU nodes' own drives, for sessions that may return.")
    kv_written: float = _shared("kv_written", OTHER_DATA)
    cache_growth: float = _growth(0, "Growth of KV caches", group=OTHER_DATA)
    shared_index_kept: float = _shared("shared_index_kept", OTHER_DATA)
    index_rebuild: float = _time(
        3 * MONTH, "Index rebuilt every", (DAY, 10 * YEAR), (0.25 * MONTH, 24 * MONTH), group=OTHER_DATA
    )
    index_growth: float = _growth(
        computed("ingest_growth", "as arrivals"), "Growth of the index", group=OTHER_DATA, most=1.5
    )
    logs_per_day: float = _shared("logs_per_day", OTHER_DATA)
    log_retention: float = _shared("log_retention", OTHER_DATA)
    log_growth: float = _growth(0, "Growth of logs", group=OTHER_DATA)
    log_archived: float = _share(
        0, "Logs archived", group=OTHER_DATA, about="Share that goes cold after its retention; the rest is deleted."
    )
    log_archive_years: float = _count(2, "Years of archived logs", (0, 100), (0, 20), group=OTHER_DATA)
    archive_standing: float = _bytes(
        0, "Archive stored today", (0, 1e16), group=OTHER_DATA, about="Regulated records, straight to the cold tier."
    )
    archive_per_month: float = _arriving(0, "Archive arriving", group=OTHER_DATA, about="Straight to the cold tier.")
    archive_growth: float = _growth(0, "Growth of the archive", group=OTHER_DATA, about="Of what arrives.")
    archive_years: float = _count(10, "Years of the archive", (0.1, 100), (1, 30), group=OTHER_DATA)
    replica_sites: float = _count(
        0, "Replica sites", (0, 3), (0, 3), group=COPIES, whole=True, about="Of raw data, models and archive."
    )
    backup_copies: float = _count(
        1,
        "Backup copies",
        (0, 3),
        (0, 3),
        group=COPIES,
        whole=True,
        about="Of raw data, models and archive, on the cold medium from the first day.",
    )
    backup_offsite: bool = switch(default=True, label="Backups off site", group=COPIES)


@dataclass(frozen=True, kw_only=True)
class Use:
    """Work on the data, capacity bought and money."""

    prep_core_hours_per_tb: float = quantity(
        facts.fact("prep-core-hours"),
        "core-hour/TB",
        "Preparation per TB of raw data",
        hard=(0.1 / _TB, 1e6 / _TB),
        slider=(10 / _TB, 5000 / _TB),
        scale="log",
        help="Extraction from web crawls takes ten times as much.",
        group=WORK,
    )
    prep_cores: float = quantity(
        512, "core", "CPU cores for preparation", hard=(1, 1e7), slider=(16, 1e5), scale="log", group=WORK
    )
    prep_passes: float = _count(facts.fact("prep-passes"), "Passes over the data", (1, 100), (1, 10), group=WORK)
    prep_written: float = _count(
        1.3, "Written per prepared byte", (0, 100), (0, 4), group=WORK, about="Intermediate copies; an assumption."
    )
    scratch_factor: float = _count(
        facts.fact("prep-scratch"), "Scratch ÷ prepared data", (0, 100), (0, 4), group=WORK, about="On the hot tier."
    )
    reread_share: float = _share(
        facts.fact("reread-share"), "Raw data read per version", group=WORK, about="On whichever tier it is."
    )
    busy_share: float = _share(
        facts.fact("busy-share"), "Bandwidth that plans may use", (0.01, 1), group=WORK, about="Of each tier."
    )
    object_size: float = quantity(
        1e9, "B", "Object size: raw, archive", hard=(1, 1e13), slider=(1e4, 1e10), scale="log", group=WORK
    )
    other_object_size: float = quantity(
        1e9, "B", "Object size: everything else", hard=(1, 1e13), slider=(1e4, 1e10), scale="log", group=WORK
    )
    recall_window: float = _time(
        14 * DAY, "Recall for a version within", (HOUR, 10 * YEAR), (DAY, 90 * DAY), group=RESTORE, symbol="s"
    )
    recall_staged: float = _share(
        facts.fact("recall-staged"), "Recalled data staged at once", group=RESTORE, about="On the warm tier."
    )
    cold_restore: float = _bytes(100e12, "Restore that must work", (0, 1e16), group=RESTORE)
    cold_restore_window: float = _time(
        7 * DAY, "Restore within", (MINUTE, YEAR), (HOUR, 30 * DAY), group=RESTORE, symbol="s"
    )
    tape_drives: float | None = _count(
        not_applicable("as many as needed"), "Tape drives", (1, 10_000), (1, 64), group=RESTORE, whole=True,
        symbol="drive",
    )  # fmt: skip
    tape_drive_price: float = quantity(
        facts.fact("tape-drive-price"), "USD", "Tape drive price", hard=(0, 1e6), slider=(3000, 30_000), group=RESTORE
    )
    tape_drive_refresh: float = _time(
        5 * YEAR, "Tape drive replaced after", (YEAR, 50 * YEAR), (3 * YEAR, 10 * YEAR), group=RESTORE, symbol="year"
    )
    tape_efficiency: float = _share(facts.fact("tape-efficiency"), "Tape drive efficiency", (0.05, 1), group=RESTORE)
    hot_bought: float | None = _bought("Hot capacity bought")
    warm_bought: float | None = _bought("Warm capacity bought")
    cold_bought: float | None = _bought("Cold capacity bought")
    order_lead: float = _time(
        12 * MONTH,
        "Order lead time",
        (0, 5 * YEAR),
        (0, 24 * MONTH),
        group=BOUGHT,
        about="Nearline disks took over 52 weeks in 2026.",
    )
    shown_month: float = _time(
        computed("last_month", "the last"),
        "Month shown",
        (0, 240 * MONTH),
        (0, 120 * MONTH),
        group=ESTATE,
        about="The month whose amounts, rates and costs are shown.",
    )
    capital_rate: float = _share(facts.fact("capital-rate"), "Interest rate per year", group=BILL, most=0.2)
    operations: float = _share(
        0.1, "Operations in total", (0, 3), group=BILL, about="Per year, of the purchase.", most=0.3
    )
    price_per_kwh: float = electricity.price_per_kwh(group=BILL)
    pue: float = electricity.pue(facts.fact("pue-colocation"), group=BILL)
    colocation_per_kw_month: float = quantity(
        facts.fact("colocation-per-kilowatt"),
        "USD/kW/month",
        "Colocation price per kW and month",
        hard=(0, 10_000 * _PER_KW_MONTH),
        slider=(0, 400 * _PER_KW_MONTH),
        group=BILL,
    )
    media_price_trend: float = quantity(
        0,
        "share",
        "Media price change per year",
        hard=(-0.9, 10),
        slider=(-0.3, 1),
        help="The sign is not known: flash became 3.6 times as expensive in three quarters of 2025 and 2026.",
        group=BILL,
    )
    local_tb_month: float = quantity(
        facts.fact("local-nvme-month"),
        "USD/TB/month",
        "Local NVMe, per TB and month",
        hard=(0, 10_000 * _PER_TB_MONTH),
        slider=(0, 100 * _PER_TB_MONTH),
        help="On the GPU nodes' own drives.",
        group=BILL,
    )
    egress: float = quantity(
        _A_MONTH, "TB/month", "Egress per month", hard=(0, 1e9 * _A_MONTH), slider=(0, 1000 * _A_MONTH), group=BILL
    )
    egress_per_gb: float = quantity(
        0.09 / _GB, "USD/GB", "Egress price", hard=(0, 1e-8), slider=(0, 0.12e-9), group=BILL
    )
    replication_price: float = quantity(
        facts.fact("replication-price"), "USD/GB", "Transfer to another site", hard=(0, 1e-8), slider=(0, 0.1e-9),
        group=BILL,
    )  # fmt: skip


Inputs = dataclasses.make_dataclass("Inputs", media.INPUTS, bases=(Use, Retention, Policy), frozen=True, kw_only=True)
