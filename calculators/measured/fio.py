"""JSON of fio 3 (`fio --output-format=json`), of one node or of all nodes of `fio --client`.

Names as fio's stat.c and client.c write them (axboe/fio at f534438); defaults of options as in its HOWTO.
"""

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from calculators.files import depth_of
from calculators.measured.record import Kind, ReadError, StorageRun, count, field, line_of, number

_START = re.compile(r"^[ \t]*\{", re.MULTILINE)
_VERSION = re.compile(r"fio-(\d+)")
_MAJOR = 3
_KIB = 1024.0
_MILLI, _NANO = 1e-3, 1e-9
_ALL = "All clients"
_TRUE = ("", "1", "true")
_SIZE = re.compile(r"^\s*(\d+(?:\.\d+)?)\s*([kmgtp]?)i?b?\s*$", re.IGNORECASE)
_PREFIXES = " kmgtp"
_BLOCK = 4096.0  # fio's default of bs
_SYNCED = ("end_fsync", "end_syncfs", "fsync_on_close", "sync", "direct")
_QUEUED = ("libaio", "io_uring", "posixaio", "solarisaio", "windowsaio", "sg", "rados", "rbd", "libiscsi")


def recognizes(text: str) -> bool:
    """Whether a text is fio's JSON."""
    return '"fio version"' in text


def runs(text: str) -> list[StorageRun]:
    """Every group of jobs, by direction. Raises ReadError."""
    whole = _whole(text)
    version = str(whole["fio version"])[:40]
    major = _VERSION.match(version)
    if not major or int(major[1]) != _MAJOR:
        message = f"fio version is {version}: this reads fio-3, whose latencies are in nanoseconds; run fio 3 or later"
        raise ReadError(message)
    if "client_stats" in whole:
        jobs = [one for one in whole["client_stats"] if one.get("jobname") != _ALL]
    else:
        jobs = field("the file", whole, "jobs")
    if not jobs:
        message = "jobs is empty: no job of this fio run finished; see what fio printed on standard error"
        raise ReadError(message)
    shared = whole.get("global options") or {}

    def group(job: Mapping[str, Any]) -> tuple[Any, str]:
        return job.get("groupid", 0), str(job["jobname"]) if "client_stats" in whole else ""

    found = []
    for _, members in itertools.groupby(jobs, key=group):
        found += list(_of_group(list(members), shared))
    if not found:
        message = "no job read or wrote a byte: see what fio printed on standard error"
        raise ReadError(message)
    return found


def _whole(text: str) -> dict[str, Any]:
    """The JSON object in what fio printed; lines before and after it are other output of fio."""
    start = next((match for match in _START.finditer(text)), None)
    if start is None:
        message = "there is no JSON object in it: run fio with --output-format=json"
        raise ReadError(message)
    try:
        depth_of(text)
        whole, end = json.JSONDecoder().raw_decode(text, start.end() - 1)
    except ValueError as error:
        line = line_of(text, getattr(error, "pos", 0))
        message = f"line {line}: the JSON of fio ends or breaks here: copy the whole file"
        raise ReadError(message) from None
    if '"fio version"' in text[end:]:
        message = f"line {line_of(text, end)}: a second run begins after this line: give one run per file"
        raise ReadError(message)
    if not isinstance(whole, dict) or "fio version" not in whole:
        message = "the first JSON object in it is not of fio: give the file of --output alone"
        raise ReadError(message)
    return whole


def _of_group(jobs: Sequence[Mapping[str, Any]], shared: Mapping[str, Any]) -> Iterator[StorageRun]:
    """Read and write results of jobs that ran at the same time."""
    directions: tuple[Kind, ...] = ("read", "write")
    options = {**shared, **(jobs[0].get("job options") or {})}
    hosts = {job["hostname"] for job in jobs if "hostname" in job}
    codes = [str(job["error"]) for job in jobs if job.get("error")]
    clones = count("job options", "numjobs", options.get("numjobs", 1))
    for direction in directions:
        parts = [(job, field(f"job {job.get('jobname')}", job, direction)) for job in jobs if direction in job]
        moving = [(job, one) for job, one in parts if number(direction, "io_bytes", field(direction, one, "io_bytes"))]
        if not moving:
            continue
        by_host: dict[str, float] = {}
        for job, one in moving:
            name = str(job.get("hostname", ""))
            by_host[name] = by_host.get(name, 0.0) + _bandwidth(direction, one)
        results = [one for _, one in moving]
        weights = [number(direction, "total_ios", field(direction, one, "total_ios")) for one in results]
        size = options.get("size") or options.get("filesize")
        nodes = max(len(hosts), 1)
        tasks = max(clones, len(jobs) // nodes)
        yield StorageRun(
            tool="fio",
            name=str(jobs[0].get("jobname", direction)),
            kind=direction,
            nodes=nodes,
            bandwidth=sum(by_host.values()),
            rate=sum(number(direction, "iops", field(direction, one, "iops")) for one in results),
            latency=_mean_latency(direction, results, weights),
            latency_p99=_high_latency(direction, results),
            request=_request(options, direction),
            is_random=str(options.get("rw", options.get("readwrite", ""))).startswith("rand"),
            jobs=tasks,
            depth=_depth(options),
            is_direct=_switch(options, "direct") or options.get("buffered") == "0",
            is_synced=direction == "read" or any(_switch(options, one) for one in _SYNCED),
            seconds=max(number(direction, "runtime", field(direction, one, "runtime")) for one in results) * _MILLI,
            moved=sum(number(direction, "io_bytes", one["io_bytes"]) for one in results),
            files_bytes=None if size is None or "%" in str(size) else _size("size", str(size)) * tasks * nodes,
            slowest_node=min(by_host.values()) if hosts else None,
            failed=f"fio reports error {', '.join(codes)}" if codes else "",
        )


def _bandwidth(place: str, one: Mapping[str, Any]) -> float:
    """Bandwidth of a job [B/s]; versions before 3.2 state it in KiB/s only."""
    if "bw_bytes" in one:
        return number(place, "bw_bytes", one["bw_bytes"])
    return number(place, "bw", field(place, one, "bw")) * _KIB


def _mean_latency(place: str, results: Sequence[Mapping[str, Any]], weights: Sequence[float]) -> float | None:
    """Mean latency of all requests [s]."""
    means = [number(place, "lat_ns.mean", (field(place, one, "lat_ns") or {}).get("mean", 0)) for one in results]
    total = sum(weights)
    return sum(mean * weight for mean, weight in zip(means, weights, strict=True)) / total * _NANO if total else None


def _high_latency(place: str, results: Sequence[Mapping[str, Any]]) -> float | None:
    """99th percentile of completion latency of the slowest job [s]; None where percentiles are off."""
    found = [(one.get("clat_ns") or one.get("lat_ns") or {}).get("percentile", {}).get("99.000000") for one in results]
    stated = [number(place, "clat_ns.percentile 99.000000", one) for one in found if one]
    return max(stated) * _NANO if stated else None


def _request(options: Mapping[str, Any], direction: str) -> float | None:
    """Request size of a direction [B]; None where it is a range or a split."""
    if any(name in options for name in ("bsrange", "blocksize_range", "bssplit")):
        return None
    stated = str(options.get("bs", options.get("blocksize", ""))).split(",")
    one = stated[min(len(stated) - 1, 1 if direction == "write" else 0)].strip()
    return _size("bs", one) if one else _BLOCK


def _depth(options: Mapping[str, Any]) -> float:
    """Outstanding requests of a job: an engine that is not asynchronous has one, whatever iodepth says."""
    engine = str(options.get("ioengine", "psync"))
    return number("job options", "iodepth", options.get("iodepth", 1)) if engine.startswith(_QUEUED) else 1.0


def _switch(options: Mapping[str, Any], name: str) -> bool:
    return name in options and str(options[name] or "").lower() in _TRUE


def _size(name: str, stated: str) -> float:
    """Bytes of a size as fio takes it: 4k is 4,096."""
    match = _SIZE.match(stated)
    if not match:
        message = f"job options: {name}={stated} is not a size: give the file as fio wrote it"
        raise ReadError(message)
    return float(match[1]) * _KIB ** _PREFIXES.index(match[2].lower() or " ")
