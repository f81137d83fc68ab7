"""Media: what a tier is made of, owned or rented, and what a byte costs on it."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from math import expm1, log1p
from typing import Any

from calculators import facts
from calculators.declare import Default, Preset, not_applicable, quantity
from calculators.units import DAY, unit

HOT_MEDIA, WARM_MEDIA, COLD_MEDIA = "hot_media", "warm_media", "cold_media"
_TERABYTE, _GIBIBYTE = 1e12, 2.0**30
_PER_THOUSAND = 1e3  # requests, as price lists state them


@dataclass(frozen=True, kw_only=True)
class Medium:
    """A medium. Owned: price of drives, protection, power, space and bandwidth. Rented, if it has a `rent`: its fees.

    Fields are those of facts/storage/media.toml and inputs of their tier, in base units.
    """

    media_price: float
    media_share: float
    refresh: float
    data_fragments: float
    parity_fragments: float
    fill_share: float
    media_watts: float
    media_power_share: float
    units_density: float
    read_per_tb: float
    write_per_tb: float
    rent: float | None = None
    rent_next: float | None = None
    rent_rest: float | None = None
    first_tier: float | None = None
    second_tier: float | None = None
    put: float = 0
    get: float = 0
    retrieval: float = 0
    least_stay: float = 0
    least_object: float = 0
    object_overhead: float = 0
    first_byte: float = 0
    restore_within: float | None = None
    tape_drive_rate: float | None = None

    @property
    def rented(self) -> bool:
        """Whether a provider owns it."""
        return self.rent is not None

    @property
    def raw_per_stored(self) -> float:
        """Raw bytes bought for each byte stored: protection over the fill level; 1 where it is rented."""
        if self.rented:
            return 1
        return (self.data_fragments + self.parity_fragments) / self.data_fragments / self.fill_share

    @property
    def stored_watts(self) -> float:
        """Power of a stored byte [W/B], with its share of servers and enclosures; 0 where it is rented."""
        return 0 if self.rented else self.media_watts / self.media_power_share * self.raw_per_stored

    def rent_rate(self, stored: float) -> float:
        """Rent of `stored` [B], each part at the price of its tier [USD/s]."""
        first, second = self.first_tier, self.second_tier
        rent = self.rent or 0
        if first is None or self.rent_next is None or stored <= first:
            return stored * rent
        if second is None or self.rent_rest is None or stored <= second:
            return first * rent + (stored - first) * self.rent_next
        return first * rent + (second - first) * self.rent_next + (stored - second) * self.rent_rest

    def billed_share(self, object_size: float) -> float:
        """Bytes billed per byte stored in objects of `object_size` [B]: least object size, and overhead per object."""
        return max(1, self.least_object / object_size) + self.object_overhead / object_size if self.rented else 1

    def read_fee(self, object_size: float) -> float:
        """Fee for each byte read [USD/B]; nothing on owned media."""
        return self.retrieval + self.get / _PER_THOUSAND / object_size if self.rented else 0

    def write_fee(self, object_size: float) -> float:
        """Fee for each byte written or moved here [USD/B]; nothing on owned media."""
        return self.put / _PER_THOUSAND / object_size if self.rented else 0

    def early_fee(self, stay: float) -> float:
        """Billed for the rest of the least stay of each byte that leaves after `stay` [s], in USD/B."""
        last = self.rent if self.rent_rest is None else self.rent_rest
        return (last or 0) * max(0, self.least_stay - stay)


@dataclass(frozen=True)
class Owning:
    """Cost of ownership: interest and operations a year, space and power; `month` [s] sets what a year is."""

    capital_rate: float
    operations: float
    watt_rate: float  # USD/s of each watt
    month: float

    def yearly(self, refresh: float) -> float:
        """Share of a purchase paid each year, with interest over `refresh` [s] and operations.

        >>> round(Owning(0.08, 0.10, 0, 2629800).yearly(5 * 31557600), 4)
        0.3505
        """
        years = refresh / (12 * self.month)
        paid = self.capital_rate / -expm1(-years * log1p(self.capital_rate)) if self.capital_rate > 0 else 1 / years
        return paid + self.operations

    def purchase_rate(self, price: float, refresh: float) -> float:
        """Cost of what was bought for `price` and is replaced after `refresh` [s], per second."""
        return price * self.yearly(refresh) / (12 * self.month)

    def byte_rate(self, medium: Medium) -> float:
        """Cost of a byte stored on owned media [USD/B/s]: purchase, interest, operations, space and power."""
        bought = medium.media_price / medium.media_share * medium.raw_per_stored
        return self.purchase_rate(bought, medium.refresh) + medium.stored_watts * self.watt_rate

    def keep_rate(self, medium: Medium, stored: float, object_size: float) -> float:
        """Cost of `stored` [B] in objects of `object_size` [B] on a medium [USD/s]."""
        if medium.rented:
            return medium.rent_rate(stored * medium.billed_share(object_size))
        return stored * self.byte_rate(medium)


_OWNED = tuple(field.name for field in dataclasses.fields(Medium))[:11]
_RENTED = ("rent", "put", "get", "retrieval", "least_stay", "least_object")
_BY_TIER = ("rent_next", "rent_rest", "first_tier", "second_tier")
_RESTORED = ("first_byte", "restore_within", "tape_drive_rate")
FIELDS: Mapping[str, tuple[str, ...]] = {
    "hot": _OWNED,
    "warm": (*_OWNED, *_RENTED, *_BY_TIER),
    "cold": (*_OWNED, *_RENTED, "object_overhead", *_RESTORED),
}
GROUPS = {"hot": HOT_MEDIA, "warm": WARM_MEDIA, "cold": COLD_MEDIA}
_DEFAULTS = {"hot": "medium-tlc-file", "warm": "medium-hdd-object", "cold": "medium-tape-lto9"}
_MENUS = {
    "hot": ("medium-tlc-file", "medium-qlc-object", "medium-hdd-object"),
    "warm": (
        *("medium-qlc-object", "medium-hdd-object", "medium-s3-standard", "medium-s3-ia", "medium-gcs-standard"),
        *("medium-gcs-nearline", "medium-azure-hot", "medium-azure-cool"),
    ),
    "cold": (
        *("medium-tape-lto9", "medium-tape-lto10", "medium-hdd-object", "medium-s3-ia", "medium-s3-glacier-instant"),
        *("medium-s3-glacier-flexible", "medium-s3-deep-archive", "medium-gcs-coldline", "medium-gcs-archive"),
        *("medium-azure-cold", "medium-azure-archive"),
    ),
}
WARM_CHOICES = ("medium-qlc-object", "medium-hdd-object", "medium-s3-standard", "medium-gcs-standard")
COLD_CHOICES = (
    *("medium-hdd-object", "medium-tape-lto9", "medium-s3-glacier-instant", "medium-s3-deep-archive"),
    "medium-gcs-archive",
)
_ALL = facts.records("media")
_RECORDS = {key: _ALL[key] for key in dict.fromkeys((*sum(_MENUS.values(), ()), *WARM_CHOICES, *COLD_CHOICES))}


def listed(key: str) -> Medium:
    """Medium of the menus, as its facts state it; fields that it lacks are those of disks."""
    disks = _RECORDS["medium-hdd-object"]
    stated = {field.name: _RECORDS[key].value(field.name) for field in dataclasses.fields(Medium)}
    stated |= {name: disks.value(name) for name in _OWNED if stated[name] is None}
    return Medium(**{name: value for name, value in stated.items() if value is not None})


def name_of(key: str) -> str:
    """Name of a medium."""
    return _RECORDS[key].name


# By field: unit, label after the tier's name, hard range and slider in that unit, scale, help.
_DECLARED: Mapping[str, tuple[str, str, tuple[float, float], tuple[float, float], str, str]] = {
    "media_price": ("USD/TB", "drive price per raw TB", (0, 1e5), (1, 600), "log", "Drives or cartridges alone."),
    "media_share": ("share", "drives ÷ system price", (0.01, 1), (0.1, 1), "linear", "The rest: servers, network."),
    "refresh": ("year", "replaced after", (1, 50), (3, 15), "linear", ""),
    "data_fragments": ("1", "data fragments", (1, 256), (1, 32), "linear", "Per stripe."),
    "parity_fragments": ("1", "parity fragments", (0, 16), (0, 16), "linear", "Per stripe."),
    "fill_share": ("share", "maximum fill level", (0.05, 1), (0.5, 1), "linear", ""),
    "media_watts": ("W/TB", "drive power per raw TB", (0, 100), (0, 2), "linear", "Drives alone."),
    "media_power_share": ("share", "drives ÷ system power", (0.01, 1), (0.1, 1), "linear", ""),
    "units_density": ("TB/U", "raw TB per rack unit", (0.1, 1e5), (10, 2000), "log", ""),
    "read_per_tb": ("MB/s/TB", "read rate per raw TB", (0.001, 1e6), (1, 1000), "log", "Of the whole system."),
    "write_per_tb": ("MB/s/TB", "write rate per raw TB", (0.001, 1e6), (1, 1000), "log", "Of the whole system."),
    "rent": ("USD/GiB/month", "rent", (0, 10), (0, 0.05), "linear", "Rented instead of owned, if it is given."),
    "put": ("USD", "fee per 1,000 writes", (0, 10), (0, 0.1), "linear", "Also for a transition into the class."),
    "get": ("USD", "fee per 1,000 reads", (0, 10), (0, 1), "linear", "Requests for a restore included."),
    "retrieval": ("USD/GiB", "retrieval fee", (0, 1), (0, 0.1), "linear", ""),
    "least_stay": ("d", "minimum stay billed", (0, 4000), (0, 400), "linear", ""),
    "least_object": ("B", "minimum object size billed", (0, 1e9), (0, 1e6), "linear", ""),
    "object_overhead": ("B", "bytes added per object", (0, 1e9), (0, 1e5), "linear", ""),
    "rent_next": ("USD/GiB/month", "rent, second price tier", (0, 10), (0, 0.05), "linear", ""),
    "rent_rest": ("USD/GiB/month", "rent, last price tier", (0, 10), (0, 0.05), "linear", ""),
    "first_tier": ("B", "first price tier up to", (1e9, 1e21), (1e12, 1e15), "log", ""),
    "second_tier": ("B", "second price tier up to", (1e9, 1e21), (1e13, 1e16), "log", ""),
    "first_byte": ("min", "time to first byte", (0, 14_400), (0, 3000), "linear", "Mount and seek, or the queue."),
    "restore_within": ("s", "restore promised within", (1, 30 * DAY), (60, 3 * DAY), "log", "By the provider."),
    "tape_drive_rate": ("B/s", "tape drive rate", (1e3, 1e15), (1e8, 2e9), "log", "Native. Only where it is tape."),
}
_ABSENT = {
    "rent": "owned",
    "rent_next": "one price",
    "rent_rest": "one price",
    "first_tier": "one price",
    "second_tier": "one price",
    "restore_within": "by bandwidth",
    "tape_drive_rate": "no tape",
}
_WHOLE = ("data_fragments", "parity_fragments")


def _default(tier: str, name: str) -> Default:
    if name in _ABSENT:
        return not_applicable(_ABSENT[name])
    for key in (_DEFAULTS[tier], "medium-hdd-object"):
        if name in _RECORDS[key].fields:
            return _RECORDS[key].fields[name]
    return 0


def _declared(tier: str, name: str) -> Any:
    symbol, label, hard, slider, scale, about = _DECLARED[name]
    factor = unit(symbol).factor
    return quantity(
        _default(tier, name),
        symbol,
        f"{tier.capitalize()}: {label}",
        hard=(hard[0] * factor, hard[1] * factor),
        slider=(slider[0] * factor, slider[1] * factor),
        scale="log" if scale == "log" else "linear",
        whole=name in _WHOLE,
        help=about,
        group=GROUPS[tier],
    )


INPUTS = tuple((f"{tier}_{name}", float, _declared(tier, name)) for tier, names in FIELDS.items() for name in names)


def preset(tier: str) -> Preset:
    """Menu of the media of a tier, filling its inputs; a typed value keeps the menu's other values."""
    fills = {f"{tier}_{name}": name for name in FIELDS[tier]}
    return Preset(
        name=f"{tier}_medium",
        label=f"{tier.capitalize()} tier: medium",
        records=tuple(_RECORDS[key] for key in _MENUS[tier]),
        fills=fills,
        default=_DEFAULTS[tier],
        secondary=tuple(fills),
        group=GROUPS[tier],
    )
