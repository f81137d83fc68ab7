"""The way of a question: embedding, reranking, and what its answers add to the prompt."""

from calculators.declare import formulas_of, step

_FLOPS_PER_PARAMETER = 2  # a multiplication and an addition for each token, as in Inference


@step("token/s", "Embedded tokens/s per GPU", source="infinity-benchmarks", rises_with=("peak_flops",))
def embedder_rate(peak_flops: float, embedder_utilization: float, embedder_parameters: float) -> float:
    """Tokens per second that one GPU embeds.

    Text Embeddings Inference embedded 62,100 tokens per second on an L4 of 121 TFLOP/s, bge-large.

    >>> round(embedder_rate(121e12, 0.3, 303e6))
    59901
    """
    return peak_flops * embedder_utilization / (_FLOPS_PER_PARAMETER * embedder_parameters)


@step("s", "Embedding the question", rises_with=("question_tokens", "embed_latency"))
def question_time(embed_latency: float, question_tokens: float, embedder_rate: float) -> float:
    """Time to embed one question [s].

    >>> question_time(0.01, 100, 100_000)
    0.011
    """
    return embed_latency + question_tokens / embedder_rate


@step("s", "Reranking")
def rerank_time(
    rerank_candidates: float | None,
    chunk_tokens: float,
    question_tokens: float,
    reranker_parameters: float,
    peak_flops: float,
    embedder_utilization: float,
) -> float:
    """Time in which one GPU reranks the candidates of one search [s]; 0 without a reranker.

    >>> round(rerank_time(100, 512, 100, 303e6, 989e12, 0.3), 3)
    0.125
    """
    tokens = (rerank_candidates or 0) * (chunk_tokens + question_tokens)
    return tokens * _FLOPS_PER_PARAMETER * reranker_parameters / (peak_flops * embedder_utilization)


@step("GPU", "GPUs that rerank")
def rerank_gpus(query_rate: float, rerank_time: float, target_utilization: float) -> float:
    """GPUs that rerank all searches at the target utilization.

    >>> rerank_gpus(5, 0.2, 0.5)
    2.0
    """
    return query_rate * rerank_time / target_utilization


@step("s", "Retrieval time")
def retrieval_time(question_time: float, search_latency: float, rerank_time: float) -> float:
    """Time from a question to its chunks [s]: embedding, search, reranking.

    >>> round(retrieval_time(0.01, 0.006, 0.125), 6)
    0.141
    """
    return question_time + search_latency + rerank_time


@step("token", "Tokens retrieved per request", rises_with=("top_k", "chunk_tokens", "retrievals_per_request"))
def retrieved_tokens(top_k: float, chunk_tokens: float, retrievals_per_request: float) -> float:
    """Tokens that searches add to a prompt.

    >>> retrieved_tokens(10, 512, 1)
    5120
    """
    return top_k * chunk_tokens * retrievals_per_request


@step("token", "Prompt with what is retrieved", rises_with=("fixed_prompt", "question_tokens"))
def augmented_prompt(fixed_prompt: float, question_tokens: float, retrieved_tokens: float) -> float:
    """Input tokens of a request: instructions, question and retrieved chunks.

    >>> augmented_prompt(500, 100, 5120)
    5720
    """
    return fixed_prompt + question_tokens + retrieved_tokens


@step("share", "Prefix-cache hit rate, at most")
def shareable_share(fixed_prompt: float, augmented_prompt: float) -> float:
    """Share of the prompt that a prefix cache can find: what comes before the retrieved text.

    >>> round(shareable_share(500, 5720), 3)
    0.087
    """
    return fixed_prompt / augmented_prompt


@step("s", "Prefill of what is retrieved", falls_with=("prefill_rate",))
def added_prefill_time(retrieved_tokens: float, prefill_rate: float) -> float:
    """Time that the retrieved tokens add to prefill [s].

    >>> round(added_prefill_time(5120, 20_370), 3)
    0.251
    """
    return retrieved_tokens / prefill_rate


@step("GPU", "GPUs for retrieved tokens", rises_with=("request_rate",))
def added_prefill_gpus(
    request_rate: float, added_prefill_time: float, serving_tensor_parallel: float, target_utilization: float
) -> float:
    """GPUs of the serving cluster that prefill the retrieved tokens, at the target utilization.

    >>> round(added_prefill_gpus(5, 0.25073, 8, 0.7), 1)
    14.3
    """
    return request_rate * added_prefill_time * serving_tensor_parallel / target_utilization


@step("B", "KV cache of retrieved tokens")
def added_cache(retrieved_tokens: float, cache_per_token: float) -> float:
    """KV cache that the retrieved tokens take for each request in flight [B].

    >>> added_cache(5120, 327_680)
    1677721600
    """
    return retrieved_tokens * cache_per_token


@step("s", "Added to the first token")
def added_ttft(retrieval_time: float, added_prefill_time: float) -> float:
    """Time that retrieval adds to the first token [s]: embedding, search, reranking and prefill.

    >>> round(added_ttft(0.0164, 0.2507), 4)
    0.2671
    """
    return retrieval_time + added_prefill_time


FORMULAS = formulas_of(globals())
