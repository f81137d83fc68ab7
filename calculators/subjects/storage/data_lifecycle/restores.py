"""Restore and recall from the cold tier: the rate needed, tape drives, and how long both take."""

from dataclasses import dataclass
from math import ceil

from calculators.declare import formulas_of, record, step
from calculators.subjects.storage.data_lifecycle.media import Medium

_SURELY = 1e-12  # of a whole number: what rounding leaves above it is no more drive


@dataclass(frozen=True)
class Restores:
    """Rate that the cold tier must deliver, and the tape drives for it."""

    reread_share: float
    recall_window: float
    restore: float  # B
    restore_window: float
    drives: float | None  # None: as many as needed
    drive_price: float
    drive_refresh: float
    efficiency: float

    def rate(self, raw_cold: float, first_byte: float = 0) -> float:
        """Rate that a recall needs, or a restore if that is more, once the first byte is there [B/s].

        A window shorter than the time to the first byte is missed at any rate: it needs no more than without.
        """
        recall, restore = (
            window - first_byte if window > first_byte else window
            for window in (self.recall_window, self.restore_window)
        )
        return max(self.reread_share * raw_cold / recall, self.restore / restore)

    def drives_needed(self, medium: Medium, raw_cold: float) -> float:
        """Tape drives that deliver in time, at least one; 0 where the medium is no tape."""
        if medium.rented or medium.tape_drive_rate is None:
            return 0
        wanted = self.rate(raw_cold, medium.first_byte) / (medium.tape_drive_rate * self.efficiency)
        return max(1.0, float(ceil(wanted * (1 - _SURELY))))

    def drives_used(self, medium: Medium, raw_cold: float) -> float:
        """Tape drives that there are: those given, otherwise as many as needed; 0 where the medium is no tape."""
        needed = self.drives_needed(medium, raw_cold)
        return needed if self.drives is None or not needed else self.drives

    def supply(self, medium: Medium, raw_cold: float, capacity: float, busy_share: float) -> float | None:
        """Rate at which a cold medium of `capacity` [B] delivers [B/s]; None where a provider does."""
        if medium.rented:
            return None
        if medium.tape_drive_rate is None:
            return medium.read_per_tb * capacity * busy_share
        return self.drives_used(medium, raw_cold) * medium.tape_drive_rate * self.efficiency


@record("Restores")
def restores(
    reread_share: float,
    recall_window: float,
    cold_restore: float,
    cold_restore_window: float,
    tape_drives: float | None,
    tape_drive_price: float,
    tape_drive_refresh: float,
    tape_efficiency: float,
) -> Restores:
    """Rate that the cold tier must deliver, and the tape drives for it."""
    return Restores(
        reread_share,
        recall_window,
        cold_restore,
        cold_restore_window,
        tape_drives,
        tape_drive_price,
        tape_drive_refresh,
        tape_efficiency,
    )


@step("B/s", "Cold tier: rate needed", rises_with=("cold_restore",), falls_with=("recall_window",))
def cold_rate(restores: Restores, raw_cold: float) -> float:
    """Rate that a recall, or a restore if it is more, needs from the cold tier [B/s]."""
    return restores.rate(raw_cold)


@step("drive", "Tape drives needed", not_applicable="no tape")
def tape_drives_needed(cold_tier: Medium, restores: Restores, raw_cold: float) -> float | None:
    """Drives that deliver recall and restore in time; None without tape."""
    return restores.drives_needed(cold_tier, raw_cold) or None


@step("B/s", "Cold tier: rate available", not_applicable="as promised")
def cold_supply(
    cold_tier: Medium, restores: Restores, raw_cold: float, cold_tier_raw: float, busy_share: float
) -> float | None:
    """Rate at which the cold tier delivers [B/s]: its drives, or the share of disks' bandwidth; None where rented."""
    return restores.supply(cold_tier, raw_cold, cold_tier_raw, busy_share)


@step("s", "Restore time")
def cold_restore_time(cold_tier: Medium, cold_restore: float, cold_held: float, cold_supply: float | None) -> float:
    """Time of the restore that must work, or of all that is there [s]: first byte, then at the rate available."""
    return delivered_in(cold_tier, min(cold_restore, cold_held), cold_supply)


@step("s", "Recall time for a version")
def recall_time(cold_tier: Medium, raw_cold: float, reread_share: float, cold_supply: float | None) -> float:
    """Time in which a new version's raw data comes back from the cold tier [s]; 0 where none is read."""
    amount = reread_share * raw_cold
    return delivered_in(cold_tier, amount, cold_supply) if amount else 0


def delivered_in(medium: Medium, amount: float, supply: float | None) -> float:
    """Time in which a cold medium delivers `amount` [B] at `supply` [B/s], or as its provider promises [s]."""
    if medium.rented and medium.restore_within is not None:
        return medium.restore_within
    return medium.first_byte + (amount / supply if supply and amount else 0)


FORMULAS = formulas_of(globals())
