"""Where the field disagrees about the speed of collectives: one time counted in several ways, and who uses each."""

from collections.abc import Iterator, Mapping
from typing import Any

from calculators import units
from calculators.declare import Table

_BOTH_WAYS = 2


def conventions(values: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Each way of counting, who uses it, and its result for this collective and step."""
    yield (
        "Algorithm bandwidth",
        "Applications, and benchmarks that print it alone (Huawei's): buffer size over time",
        "{algorithm_bandwidth}",
    )
    yield (
        "Bus bandwidth",
        "nccl-tests, AWS's and Intel's benchmarks, acceptance thresholds: × {bus_factor}, to compare group sizes",
        "{bus_bandwidth}",
    )
    yield (
        "Wire rate per NIC",
        "Network counters: traffic on one NIC with a ring or a tree",
        "{wire_rate_per_nic}" if values["domains"] > 1 else "nothing crosses the network here",
    )
    yield (
        "Link bandwidth, bidirectional",
        "GPU datasheets: both directions added",
        "{link_bandwidth} scale-up per GPU",
    )
    yield (
        "Link bandwidth, one way",
        "Benchmarks and NICs: one direction, the reference for a collective",
        f"{units.text(values['link_bandwidth'] / _BOTH_WAYS, 'B/s')} scale-up, {{nic_bandwidth}} network per GPU",
    )
    yield (
        "Transfer time alone",
        "Back-of-the-envelope estimates, without latency",
        "{transfer_time}, compared with {collective_time}",
    )
    together = values["exposed_time"] + values["hidden_time"]
    of_all = f"{units.text(values['exposed_time'] / together, 'share')} of" if together else "none of"
    yield (
        "Exposed communication",
        "Training reports: share of the step; papers on overlap: share of all communication",
        f"{{exposed_share}} of the step, {of_all} its communication",
    )


CONVENTIONS = Table(
    name="conventions",
    title="Where the field disagrees",
    about="Each way of counting, applied to this collective and step.",
    columns=("Way of counting", "Who uses it", "Result for this collective"),
    rows=conventions,
)
