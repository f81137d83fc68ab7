"""Logs of jobs as what they hold: the clock of one job, or a cluster."""

from calculators.subjects.storage.goodput.cluster import Cluster
from calculators.subjects.storage.goodput.event_log import Clock, read


def clock(text: str) -> Clock:
    """The clock of a log of one job."""
    found = read(text)
    assert isinstance(found, Clock), "this is a log of one job"
    return found


def cluster(text: str) -> Cluster:
    """The cluster of an accounting of many jobs."""
    found = read(text)
    assert isinstance(found, Cluster), "this is the accounting of a cluster"
    return found
