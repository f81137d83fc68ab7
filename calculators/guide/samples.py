"""Training counted in samples: embedding rows that GPUs exchange, observations of simulators, speeds held to logs."""

from calculators.declare import step

_BOTH_WAYS = 2  # pooled vectors forward, their gradients backward


@step("B", "Embedding vectors sent per GPU and step", rises_with=("batch_size", "embedding_tables"))
def embedding_exchange(
    batch_size: float, embedding_tables: float, vector_values: float, vector_value_bytes: float, exchanging_gpus: float
) -> float:
    """Bytes a GPU sends in a step when tables are split over `exchanging_gpus`: one vector per table and sample [B].

    The share of its own tables stays on the GPU.

    >>> embedding_exchange(100, 10, 16, 2, 2)
    32000.0
    """
    vectors = batch_size * embedding_tables * vector_values * vector_value_bytes
    return _BOTH_WAYS * vectors * (1 - 1 / exchanging_gpus)


@step("s", "Time of the embedding exchange", rises_with=("embedding_exchange",), falls_with=("exchange_bandwidth",))
def exchange_time(embedding_exchange: float, exchange_bandwidth: float) -> float:
    """Time of the exchange where a GPU sends at `exchange_bandwidth` [B/s] [s].

    >>> exchange_time(50e6, 50e9)
    0.001
    """
    return embedding_exchange / exchange_bandwidth


@step("1", "Calculated over measured speed", rises_with=("calculated_rate",), falls_with=("measured_rate",))
def speed_ratio(calculated_rate: float, measured_rate: float) -> float:
    """Calculated speed ÷ speed in the log [1].

    >>> speed_ratio(3.0, 2.0)
    1.5
    """
    return calculated_rate / measured_rate


@step("B/s", "Bytes of observations", rises_with=("observations_per_second", "observation_bytes"))
def observation_rate(observations_per_second: float, observation_bytes: float) -> float:
    """Bandwidth of what simulators show the learner [B/s].

    >>> observation_rate(1e6, 28224)
    28224000000.0
    """
    return observations_per_second * observation_bytes
