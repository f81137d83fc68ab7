"""A measured run of serving: lengths, load, throughput and latencies, and the error for a file that holds none."""

from dataclasses import dataclass

from calculators.measured.record import ReadError


class BenchmarkError(ReadError):
    """A file that holds no run of a load generator: a sentence."""


@dataclass(frozen=True, kw_only=True)
class ServingRun:
    """One run: mean lengths [token], how it was loaded, and what was measured [s, request/s, token/s].

    `most` is how many requests may run at a time, `request_rate` how many arrive; with neither they come all at once.
    A p99 is None where it was not measured, as beyond a histogram's last bucket. `prefix_share` is the share of prompt
    tokens that the prefix cache held, None where it is not stated.
    """

    input_tokens: float
    output_tokens: float
    most: float | None
    request_rate: float | None
    completed: float
    failed: float
    requests_per_second: float
    tokens_per_second: float
    ttft: float
    ttft_p99: float | None
    tpot: float
    tpot_p99: float | None
    prefix_share: float | None = None

    @property
    def is_burst(self) -> bool:
        """Whether all requests came at once."""
        return self.most is None and self.request_rate is None

    @property
    def users(self) -> float | None:
        """Requests at a time in the model: as many as may run, or as ran where these were fewer; None for a rate.

        Fewer ran of a burst, where a rate kept them below what may run, and where no more were sent than may run.
        """
        if self.most is None:
            return self.running if self.is_burst else None
        is_full = self.request_rate is None and self.completed + self.failed > self.most
        return self.most if is_full else min(self.running, self.most)

    @property
    def running(self) -> float:
        """Mean number of requests that ran, by Little's law: their rate times the time that each took [request]."""
        return self.requests_per_second * (self.ttft + (self.output_tokens - 1) * self.tpot)

    @property
    def given(self) -> dict[str, str]:
        """Inputs of the calculator that the run states: its traffic."""
        load = (
            {"request_rate": f"{self.request_rate:.6g}"}
            if self.users is None
            else {"concurrent_users": str(max(round(self.users), 1))}
        )
        tokens = {"input_tokens": self.input_tokens, "output_tokens": self.output_tokens}
        share = {} if self.prefix_share is None else {"prefix_cache_hit_rate": f"{min(self.prefix_share, 1.0):.4f}"}
        return {**{name: str(round(count)) for name, count in tokens.items()}, **load, **share}
