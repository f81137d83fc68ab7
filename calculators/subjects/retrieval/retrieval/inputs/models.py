"""Inputs on models and prices: embedding, reranking, the model that answers, object storage."""

from dataclasses import dataclass

from calculators import facts
from calculators.declare import placed, quantity
from calculators.units import unit
from calculators.vocabulary.accelerators import gpu_memory, memory_bandwidth, peak_flops
from calculators.vocabulary.money import price_per_gpu_hour
from calculators.vocabulary.parallelism import serving_tensor_parallel

EMBED, ANSWER, OBJECTS = "embedding", "answer", "objects"
PREFILL_RATE = 20_370.0
_PER_TERABYTE_MONTH = unit("USD/TB-month").factor


@dataclass(frozen=True, kw_only=True)
class Models:
    """Embedding model, serving cluster and object storage; base units (FLOP/s, s, B, USD)."""

    embedder_parameters: float = quantity(
        facts.fact("embedder-bge-m3.embedder_parameters"),
        "parameter",
        "Embedding model parameters",
        hard=(1e6, 1e12),
        slider=(10e6, 10e9),
        scale="log",
        help="Without its embedding tables, which multiply nothing: 303M of bge-m3's 568M.",
        group=EMBED,
    )
    embedder_utilization: float = quantity(
        facts.fact("embedder-utilization"),
        "share",
        "Embedding utilization",
        hard=(0.01, 1),
        slider=(0.05, 0.8),
        help="Share of peak arithmetic that the embedding server (and the reranker) reaches.",
        group=EMBED,
    )
    embedder_gpus: float = quantity(
        8, "GPU", "GPUs that embed the corpus", hard=(1, 100e3), slider=(1, 256), scale="log", whole=True, group=EMBED
    )
    embed_latency: float = quantity(
        facts.fact("embed-latency"),
        "s",
        "Embedding latency",
        hard=(0, 10),
        slider=(1e-3, 0.5),
        scale="log",
        help="Of one question, besides its arithmetic: queue, network, launches.",
        group=EMBED,
    )
    reranker_parameters: float = quantity(
        303e6,
        "parameter",
        "Reranker parameters",
        hard=(1e6, 1e12),
        slider=(10e6, 10e9),
        scale="log",
        help="Used only with candidates to rerank. Without embedding tables.",
        group=EMBED,
    )
    peak_flops: float = peak_flops()
    gpu_memory: float = gpu_memory()
    memory_bandwidth: float = memory_bandwidth()
    price_per_gpu_hour: float = price_per_gpu_hour(group=ANSWER)
    serving_tensor_parallel: float = placed(serving_tensor_parallel(8), ANSWER)
    prefill_rate: float = quantity(
        PREFILL_RATE,
        "token/s",
        "Prefill tokens/s per replica",
        hard=(1, 1e9),
        slider=(1000, 1e6),
        scale="log",
        help="Of the model that answers. The default is Inference's for Llama 3 70B on 8 H100.",
        group=ANSWER,
    )
    cache_per_token: float = quantity(
        327_680,
        "B/token",
        "KV cache per token, whole model",
        hard=(1, 1e9),
        slider=(1024, 2.0**22),
        scale="log",
        binary=True,
        help="Of the model that answers. The default is Llama 3 70B's in 16 bits.",
        group=ANSWER,
    )
    object_read_latency: float = quantity(
        facts.fact("object-read-latency"),
        "s",
        "Object read latency",
        hard=(1e-4, 10),
        slider=(0.01, 1),
        scale="log",
        help="Only for an index in object storage, like all of this group.",
        group=OBJECTS,
    )
    object_rounds: float = quantity(
        3,
        "1",
        "Rounds of a cold query",
        hard=(1, 100),
        slider=(1, 10),
        whole=True,
        help="Reads of object storage, one after the other: directory, centroids, lists.",
        group=OBJECTS,
    )
    object_bandwidth: float = quantity(
        1e9, "B/s", "Object read bandwidth", hard=(1e6, 1e13), slider=(1e8, 1e11), scale="log", group=OBJECTS
    )
    object_price: float = quantity(
        facts.fact("object-tb-price"),
        "USD/TB-month",
        "Object storage price",
        hard=(0, 10_000 * _PER_TERABYTE_MONTH),
        slider=(0, 100 * _PER_TERABYTE_MONTH),
        group=OBJECTS,
    )
    object_request_price: float = quantity(
        facts.fact("object-get-price"),
        "USD",
        "Price of a million reads",
        hard=(0, 1000),
        slider=(0, 10),
        group=OBJECTS,
    )
    cold_queries: float = quantity(
        0.1,
        "share",
        "Cold queries",
        hard=(0, 1),
        help="Searches that find nothing in the cache on NVMe; the default is an assumption.",
        group=OBJECTS,
    )
