"""Failure data: every published rate of failure that we hold, each by its own definition, and bands to plan with."""

from dataclasses import dataclass
from functools import cache

from calculators import facts, units
from calculators.guide.failures.failure_rate import COUNTED, Rate, gpu_time_per_failure, time_between_stalls
from calculators.subjects.storage.goodput.failures import implied_gpu_mtbf
from calculators.units import DAY

_NOT_SAID = "not said"
_LLAMA, _CAUSES = "llama3-interruptions", "llama3-interruption-causes"
_LLAMA_GPU_CAUSES = (
    *("faulty_gpu", "gpu_hbm", "gpu_sram", "gpu_system_processor"),
    *("silent_data_corruption", "gpu_thermal_or_sensor"),
)
_WEEK = units.unit("week").factor


@dataclass(frozen=True, kw_only=True)
class Band:
    """Rates to plan with: of the machines that give its two ends, and of one between."""

    low: Rate
    middle: Rate
    high: Rate


def _fact(key: str) -> float:
    return float(facts.fact(key).value)


def _ends(key: str) -> tuple[float, float]:
    """The ends of a fact's range."""
    found = facts.fact(key)
    return found.spread or (found.value, found.value)


def _rsc_jobs() -> list[Rate]:
    def jobs(words: str, key: str, gpus: float, how: str) -> Rate:
        return Rate(
            machine=f"Meta RSC-1, {words}",
            device="A100",
            use="shared",
            counted="stops",
            how=how,
            gpus=gpus,
            per_gpu=implied_gpu_mtbf(_fact(key), gpus),
            keys=(key, "rsc-jobs.small", "rsc-jobs.large"),
        )

    return [
        jobs(
            "large jobs",
            "rsc-mttf-1024",
            _fact("rsc-jobs.large"),
            "jobs ended by infrastructure, by health checks",
        ),
        jobs("jobs on one node", "rsc-mttf-8", _fact("rsc-jobs.small"), "the same, for jobs on one node"),
    ]


def _opt() -> list[Rate]:
    key = "opt-restarts"
    gpus, window = _fact(f"{key}.gpus"), _fact(f"{key}.window")
    hosts, most_hosts = (end * _fact("gpus-per-node") for end in _ends("opt-hosts"))
    lost = _fact("opt-failures")
    return [
        Rate(
            machine="OPT-175B",
            device="A100",
            use="dedicated",
            counted="stops",
            how="restarts after hardware failures, two of three estimated by the authors",
            gpus=gpus,
            per_gpu=gpu_time_per_failure(gpus, window, _fact(f"{key}.manual") + _fact(f"{key}.automatic")),
            high=gpu_time_per_failure(gpus, window, _fact(f"{key}.in_the_notes")),
            keys=tuple(f"{key}.{part}" for part in ("manual", "automatic", "in_the_notes", "window", "gpus")),
        ),
        Rate(
            machine="OPT-175B",
            device="A100",
            use="dedicated",
            counted="nodes",
            how="machines that went down, of those in the run and, at the upper end, in reserve",
            gpus=hosts,
            per_gpu=gpu_time_per_failure(hosts, DAY, lost),
            high=gpu_time_per_failure(most_hosts, DAY, lost),
            keys=("opt-failures", "opt-hosts", "gpus-per-node"),
        ),
    ]


def _far() -> Rate:
    key = "ft-hsdp-effective-time"
    apart = time_between_stalls(_fact("ft-hsdp-stall"), _fact(f"{key}.synchronous"))
    return Rate(
        machine="Meta, FT-HSDP",
        device=_NOT_SAID,
        use="dedicated",
        counted="stops",
        how="failures of a synchronous job, from its stall and its effective time",
        gpus=_fact(f"{key}.gpus"),
        per_gpu=implied_gpu_mtbf(apart, _fact(f"{key}.gpus")),
        keys=("ft-hsdp-stall", f"{key}.synchronous", f"{key}.gpus"),
    )


def _meta() -> Rate:
    key = "meta-32k-interruptions"
    return Rate(
        machine="Meta, 32,000 GPUs",
        device=_NOT_SAID,
        use="dedicated",
        counted="stops",
        how="interruptions of one job, from a rate of its servers; second hand",
        gpus=_fact(f"{key}.gpus"),
        per_gpu=gpu_time_per_failure(_fact(f"{key}.servers") * _fact("gpus-per-node"), DAY, _fact(f"{key}.per_day")),
        keys=(f"{key}.per_day", f"{key}.servers", f"{key}.gpus", "gpus-per-node"),
    )


def _llama() -> list[Rate]:
    def interruptions(counted: str, how: str, count: float, key: str) -> Rate:
        gpus = _fact(f"{_LLAMA}.gpus")
        return Rate(
            machine="Llama 3 405B",
            device="H100",
            use="dedicated",
            counted=counted,
            how=how,
            gpus=gpus,
            per_gpu=gpu_time_per_failure(gpus, _fact(f"{_LLAMA}.days"), count),
            keys=(key, f"{_LLAMA}.days", f"{_LLAMA}.gpus"),
        )

    of_gpus = sum(_fact(f"{_CAUSES}.{cause}") for cause in _LLAMA_GPU_CAUSES)
    text = "interruptions that its table lays to a GPU or its memory"
    return [
        interruptions(
            "stops",
            "unexpected interruptions, whatever the cause",
            _fact(f"{_LLAMA}.unexpected"),
            f"{_LLAMA}.unexpected",
        ),
        interruptions("gpus", text, of_gpus, f"{_CAUSES}.faulty_gpu"),
    ]


def _rsc_nodes() -> list[Rate]:
    key = "rsc-node-failures"
    return [
        Rate(
            machine=f"Meta RSC-{which}",
            device="A100",
            use="shared",
            counted="nodes",
            how="node failures that health checks lay to hardware",
            gpus=_fact(f"{key}.rsc{which}_gpus"),
            per_gpu=gpu_time_per_failure(_fact("gpus-per-node"), _fact(f"{key}.node_days"), _fact(f"{key}.rsc{which}")),
            keys=(f"{key}.rsc{which}", f"{key}.rsc{which}_gpus", f"{key}.node_days", "gpus-per-node"),
        )
        for which in (1, 2)
    ]


def _stepfun() -> list[Rate]:
    key = "stepfun-faults"
    gpus = _fact(f"{key}.servers") * _fact("gpus-per-node")
    return [
        Rate(
            machine=f"StepFun, {short}",
            device=_NOT_SAID,
            use="dedicated",
            counted=counted,
            how=f"servers taken out of service {why}",
            gpus=gpus,
            per_gpu=gpu_time_per_failure(gpus, _fact(f"{key}.days"), _fact(f"{key}.{field}")),
            keys=(f"{key}.{field}", f"{key}.servers", f"{key}.days", "gpus-per-node"),
        )
        for counted, field, short, why in (
            ("nodes", "faults", "any reason", "for any reason, tests and suspicion among them"),
            ("nodes", "hardware", "hardware", "for a fault of hardware"),
            ("gpus", "gpu", "sampled servers", "for a GPU"),
        )
    ]


def _few_gpus() -> list[Rate]:
    bloom, lablup = "bloom-gpu-failures", "lablup-504-failures"
    least, most = _ends(f"{bloom}.count")
    of_bloom, of_lablup = _fact(f"{bloom}.gpus"), _fact("lablup-504.gpus")
    return [
        Rate(
            machine="BLOOM",
            device="A100",
            use="dedicated",
            counted="gpus",
            how="GPU failures in a week, as the engineer in charge reports them",
            gpus=of_bloom,
            per_gpu=gpu_time_per_failure(of_bloom, _WEEK, _fact(f"{bloom}.count")),
            low=gpu_time_per_failure(of_bloom, _WEEK, most),
            high=gpu_time_per_failure(of_bloom, _WEEK, least),
            keys=(f"{bloom}.count", f"{bloom}.gpus"),
        ),
        Rate(
            machine="SKT and Upstage",
            device="B200",
            use="dedicated",
            counted="gpus",
            how="GPU failures that left an XID",
            gpus=of_lablup,
            per_gpu=gpu_time_per_failure(of_lablup, _fact(f"{lablup}.days"), _fact(f"{lablup}.count")),
            keys=(f"{lablup}.count", f"{lablup}.days", "lablup-504.gpus"),
        ),
    ]


def _lablup_downtimes() -> Rate:
    key, windows, gpus = "lablup-504-downtimes", "lablup-504-failures", _fact("lablup-504.gpus")
    short, long = (_fact(f"{windows}.{days}") for days in ("days", "session_days"))
    return Rate(
        machine="SKT and Upstage",
        device="B200",
        use="dedicated",
        counted="stops",
        how="times the whole cluster was down, in the shorter or the longer window of the report; second hand",
        gpus=gpus,
        per_gpu=gpu_time_per_failure(gpus, short, _fact(f"{key}.count")),
        high=gpu_time_per_failure(gpus, long, _fact(f"{key}.count")),
        keys=(f"{key}.count", f"{windows}.days", f"{windows}.session_days", "lablup-504.gpus"),
    )


def _delta(device: str, of: str) -> list[Rate]:
    gpus = _fact(f"delta-errors.{of}_gpus")
    return [
        Rate(
            machine=f"NCSA Delta, {short}",
            device=device,
            use="shared",
            counted="messages",
            how=how,
            gpus=gpus,
            per_gpu=per_gpu,
            keys=(f"delta-errors.{of}_{field}", f"delta-errors.{of}_gpus"),
        )
        for field, short, how, per_gpu in (
            ("system", "all", "all messages", implied_gpu_mtbf(_fact(f"delta-errors.{of}_system"), gpus)),
            ("memory", "memory", "uncorrectable memory errors alone", _fact(f"delta-errors.{of}_memory")),
        )
    ]


def _claims() -> list[Rate]:
    heard, stable, assumed = "rented-heard", "nebius-stable", "databricks-assumed"
    per_day, (few, many) = _fact(f"{heard}.per_day"), _ends(f"{heard}.gpus")
    return [
        Rate(
            machine="Customers of rented clusters",
            device=_NOT_SAID,
            use="rented",
            counted="claims",
            how="failures a day over long times, as reported to an analyst; a lower bound of their number",
            gpus=_fact(f"{heard}.gpus"),
            per_gpu=gpu_time_per_failure(_fact(f"{heard}.gpus"), DAY, per_day),
            low=gpu_time_per_failure(few, DAY, per_day),
            high=gpu_time_per_failure(many, DAY, per_day),
            keys=(f"{heard}.per_day", f"{heard}.gpus"),
        ),
        Rate(
            machine="Nebius, one customer",
            device=_NOT_SAID,
            use="rented",
            counted="claims",
            how="stable operation of a cluster that the seller chose",
            gpus=_fact(f"{stable}.gpus"),
            per_gpu=implied_gpu_mtbf(_fact(f"{stable}.stable"), _fact(f"{stable}.gpus")),
            keys=(f"{stable}.stable", f"{stable}.gpus"),
        ),
        Rate(
            machine="Databricks, for its sums",
            device=_NOT_SAID,
            use="rented",
            counted="claims",
            how="a failure event of each GPU, assumed “conservatively”, not counted",
            gpus=_fact(f"{assumed}.gpus"),
            per_gpu=gpu_time_per_failure(1, _fact(f"{assumed}.window"), _fact(f"{assumed}.per_year")),
            keys=(f"{assumed}.per_year", f"{assumed}.window", f"{assumed}.gpus"),
        ),
    ]


def _analyst(device: str, field: str) -> Rate:
    key = "analyst-between-interruptions"
    low, high = _ends(f"{key}.{field}")
    return Rate(
        machine="An analyst's range",
        device=device,
        use="shared",
        counted="claims",
        how="time of one GPU between interruptions, as operators reported to an analyst; second hand",
        gpus=_fact(f"{key}.gpus"),
        per_gpu=_fact(f"{key}.{field}"),
        low=low,
        high=high,
        keys=(f"{key}.{field}", f"{key}.gpus"),
    )


@cache
def rates() -> tuple[Rate, ...]:
    """Every published rate, by what it counts, the most frequent failures first."""
    found = [
        *(*_rsc_jobs(), *_opt(), _far(), _meta(), *_llama(), *_rsc_nodes(), *_stepfun()),
        *(*_few_gpus(), _lablup_downtimes(), *_delta("A100", "a100"), *_delta("GH200", "h100")),
        *(*_claims(), _analyst("GB200", "gb200"), _analyst("H100", "h100")),
    ]
    kinds = list(COUNTED)
    return tuple(sorted(found, key=lambda rate: (kinds.index(rate.counted), rate.per_gpu)))


def counting(counted: str) -> tuple[Rate, ...]:
    """The rates that count one thing, such as "stops"."""
    return tuple(rate for rate in rates() if rate.counted == counted)


def dedicated() -> Band:
    """Planning a machine for one job: from the worst to the best rate at which such jobs stop, none second hand."""
    found = [rate for rate in counting("stops") if rate.use == "dedicated" and not rate.second_hand]
    return Band(low=found[0], middle=found[len(found) // 2], high=found[-1])


def shared() -> Band:
    """Planning a machine for many users: from the jobs that stop most often to the hardware of the same cluster.

    No job runs longer between stops than its hardware between failures, so the upper end is never reached.
    """
    found = [rate for rate in counting("stops") if rate.use == "shared"]
    hardware = next(rate for rate in counting("nodes") if rate.use == "shared")
    return Band(low=found[0], middle=found[len(found) // 2], high=hardware)
