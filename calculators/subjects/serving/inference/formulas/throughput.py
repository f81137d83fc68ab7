"""Throughput: output tokens per second of a user, a replica and a GPU."""

from calculators.declare import formulas_of, step


@step("s", "TPOT of a full batch", rises_with=("concurrent_sequences",))
def tpot(serving_step_time: float, accepted_tokens_per_step: float) -> float:
    """Time from one output token to the next with all concurrent sequences running [s], the first token left out."""
    return serving_step_time / accepted_tokens_per_step


@step("token/s", "Output tokens/s per user")
def tokens_per_second_per_user(user_tpot: float) -> float:
    """Output tokens per second of one request at this load [token/s], in the mean."""
    return 1 / user_tpot


@step("token/s", "Output tokens/s per user, full batch")
def full_batch_tokens_per_second_per_user(tpot: float) -> float:
    """Output tokens per second of one request while all concurrent sequences run [token/s]."""
    return 1 / tpot


@step("token/s", "Output tokens/s per replica")
def output_rate(concurrent_sequences: float, tpot: float) -> float:
    """Output tokens per second of all concurrent sequences of a replica [token/s]."""
    return concurrent_sequences / tpot


@step("request/s", "Requests/s per replica")
def replica_request_rate(output_rate: float, output_tokens: float) -> float:
    """Requests per second of one replica that is full all the time [request/s]."""
    return output_rate / output_tokens


@step("token/s", "Output tokens/s per GPU")
def serving_tokens_per_second_per_gpu(
    output_rate: float,
    serving_tensor_parallel: float,
    replica_request_rate: float,
    prefill_time: float,
    disaggregated: bool,  # noqa: FBT001  an input of the graph
) -> float:
    """Output tokens per second of each GPU while all are busy [token/s]; GPUs that only prefill are counted too.

    A replica of four requests a second, each a quarter of a second of prefill, keeps a second replica busy with it.

    >>> serving_tokens_per_second_per_gpu(400, 8, 4, 0.25, True)
    25.0
    """
    prefill_replicas = replica_request_rate * prefill_time if disaggregated else 0
    return output_rate / (serving_tensor_parallel * (1 + prefill_replicas))


FORMULAS = formulas_of(globals())
