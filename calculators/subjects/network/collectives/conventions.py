"""Where the field disagrees about the speed of collectives: one time under several names, each with who uses it."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import units
from calculators.declare import Table

_BOTH_WAYS = 2


def conventions(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each way of counting, who uses it, and what it makes of this collective and this step."""
    yield (
        "Algorithm bandwidth",
        "Programs, and testers that print it alone (Huawei's): bytes of the buffer over the time",
        "{algorithm_bandwidth}",
    )
    yield (
        "Bus bandwidth",
        "nccl-tests, AWS's and Intel's testers, and acceptance thresholds: times {bus_factor}, to compare job sizes",
        "{bus_bandwidth}",
    )
    yield (
        "Rate of each card",
        "Networks and their counters: what crosses a card if a ring or a tree carries it",
        "{wire_rate_per_nic}" if values["domains"] > 1 else "nothing crosses the network here",
    )
    yield (
        "A link both ways",
        "Datasheets of GPUs: both directions added",
        "{link_bandwidth} of scale-up links a GPU",
    )
    yield (
        "A link one way",
        "Testers and network cards: what one direction carries, which a collective is held against",
        f"{units.text(values['link_bandwidth'] / _BOTH_WAYS, 'B/s')} of scale-up links, {{nic_bandwidth}} a card",
    )
    yield (
        "Bytes over bandwidth",
        "Back-of-the-envelope sums, which leave latency out",
        "{transfer_time}, where it takes {collective_time}",
    )
    together = values["exposed_time"] + values["hidden_time"]
    of_all = f"{units.text(values['exposed_time'] / together, 'share')} of" if together else "none of"
    yield (
        "Exposed communication",
        "Reports on training: the wait as a share of the step; papers on overlap: of all communication",
        f"{{exposed_share}} of the step, {of_all} its communication",
    )


CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="What each way of counting makes of the present collective and step.",
    columns=("Way of counting", "Who uses it", "What it makes of this"),
    rows=conventions,
)
