"""The acceptance of GPUs, racks and hall under full load: DCGM, a Linpack burn-in, meters, a lost feed, a swing."""

from collections.abc import Iterator, Mapping
from math import ceil, isqrt
from typing import Any

from calculators import facts, units
from calculators.declare.tables import Table
from calculators.units import MINUTE
from calculators.vocabulary import acceptance
from calculators.vocabulary.acceptance import PASSED, at_least, at_most

_POWER_LEAST = float(facts.fact("dcgm-power-least").value)
_MATRIX = facts.fact("hpl-memory-share")
_SLOWING = (
    *("index", "temperature.gpu", "power.draw"),
    *("clocks_event_reasons.hw_thermal_slowdown", "clocks_event_reasons.sw_thermal_slowdown"),
)
_POWER_TIME = 10 * MINUTE


def _grid(gpus: int) -> tuple[int, int]:
    """Rows and columns of Linpack's process grid, as near to a square as the number allows."""
    rows = next(each for each in range(isqrt(gpus), 0, -1) if gpus % each == 0)
    return rows, gpus // rows


def _linpack(values: Mapping[str, Any]) -> str:
    gpus = max(1, int(values["gpus_per_node"]))
    rows, columns = _grid(gpus)
    return "\n".join(
        (
            "# on every node at once; SAMPLE is an HPL.dat of the container's sample-dat, TAG its version",
            "MIB=$(nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits | head -n 1)",
            f'N=$(echo "sqrt({_MATRIX.value:g} * {gpus} * $MIB * 1048576 / 8) / 1024 * 1024" | bc)',
            f'sed -e "6s/.*/$N Ns/" -e "11s/.*/{rows} Ps/" -e "12s/.*/{columns} Qs/" SAMPLE > HPL.dat',
            "docker run --rm --gpus all --shm-size=1g -v $PWD:/dat nvcr.io/nvidia/hpc-benchmarks:TAG \\",
            f"  mpirun -np {gpus} --bind-to none ./hpl.sh --dat /dat/HPL.dat",
        )
    )


def _gpus(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    watts = values["gpu_power"]
    name = "targeted_power"
    yield (
        "Every test of DCGM, on every node",
        "All tests pass on {gpus_per_node} of each of {gpu_nodes}",
        "A test skipped, or one that passes at the second try",
        "A test that fails, an uncorrectable error, a GPU that is missing",
        "NVIDIA's own ends for this GPU; level 4 is the longest of its suites",
        f"dcgmi diag -r 4 --expectedNumEntities gpu:{values['gpus_per_node']:.0f} -j",
    )
    yield (
        "What each GPU draws, driven to its rating",
        *at_least(values["swing_high"] * watts, min(_POWER_LEAST, values["swing_high"]) * watts, "W"),
        f"{{swing_high}} of {{gpu_power}}, what training takes at most; and {_POWER_LEAST:.0%}, where DCGM fails it",
        f'dcgmi diag -r {name} -p "{name}.target_power={watts:.0f};{name}.test_duration={_POWER_TIME:.0f}"',
    )
    yield (
        "A burn-in on each node: Linpack, again and again for a day and a night",
        f"Every residual passes; the slowest of {{gpu_nodes}} at {PASSED:.0%} of the median or more",
        f"A node below {PASSED:.0%} of the median: heat, a power limit, one weak GPU",
        "A residual that fails, a node that resets, a GPU that falls off the bus",
        f"Nodes are compared with each other. The matrix fills {_MATRIX.text} of the memory that the GPUs report",
        _linpack(values),
    )


def _hall(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    rating, average = values["node_power"], values["node_power"] * values["average_share"]
    yield (
        "What a node draws meanwhile, at its own meter",
        f"{units.text(average, 'W')} to {units.text(rating, 'W')}",
        f"less than {units.text(average, 'W')}: it does not burn",
        f"more than {units.text(rating, 'W')}",
        "Between {average_share} of the rating, as measured in training, and the rating",
        "ipmitool dcmi power reading",
    )
    yield (
        "What a full rack draws meanwhile, both feeds together",
        *at_most(values["rack_power"], values["rack_limit"], "W"),
        "Its nodes at their rating; and what the hall allows a rack, {rack_limit}",
        "# read the rack's PDUs every second while the burn-in runs",
    )
    lost = values["power_per_surviving_source"]
    circuits = ceil(lost / values["circuit_power"])
    yield (
        "One feed of a rack switched off under full load",
        *at_most(lost, circuits * values["circuit_power"], "W"),
        f"What the others then carry, each; and the limit of as many circuits: {circuits}",
        "# switch off feed A, then feed B, of every kind of rack; no node may restart",
    )
    yield (
        "All GPUs start and stop together",
        *at_most(values["power_swing"], values["installed_power"], "W"),
        "The step at the site's meter: between {swing_low} and {swing_high} of the GPUs; and all that is installed",
        "dcgmi diag -r pulse_test  # on every node at the same second; no UPS may transfer to battery",
    )


def _heat(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    liquid = values["liquid_share"] > 0
    rise = values["liquid_rise"] if liquid else values["air_rise"]
    flow = "{liquid_flow} of coolant" if liquid else "{air_flow} of air"
    yield (
        f"Heat after hours of it: {'coolant' if liquid else 'air'} warms by",
        f"{units.text(rise, 'K')} or less, and no GPU slows down",
        f"more than {units.text(rise, 'K')}: less flow than {flow}",
        "A GPU that slows down for heat",
        f"What carries {{it_power}} away with {flow}",
        f"nvidia-smi --query-gpu={','.join(_SLOWING)} --format=csv -l 10",
    )
    yield (
        "What the site draws meanwhile, at its own meter",
        *at_most(values["facility_power"], values["hall_power"], "W"),
        "IT at its rating times a PUE of {pue}; and the supply of the hall, {hall_power}",
        "# the site's meter over the sum of the racks' is the PUE of this hour",
    )


def rows(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Every test: what passes, what to look into, what fails, why, and the command."""
    yield from _gpus(values)
    yield from _hall(values)
    yield from _heat(values)


ACCEPTANCE = Table(
    name=acceptance.NAME,
    title=acceptance.TITLE,
    about=(
        "Under full load, and all of it at once: what holds rack by rack may not hold for the hall. Options are those "
        "of dcgmi diag (repository NVIDIA/DCGM at 72fa3fe, and its documentation) and of NVIDIA's HPC benchmarks, "
        "which take HPL's own HPL.dat, read 2026-11-22. Older drivers say clocks_throttle_reasons."
    ),
    columns=acceptance.COLUMNS,
    rows=rows,
    commands=True,
)
