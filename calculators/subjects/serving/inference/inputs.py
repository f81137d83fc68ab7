"""What a reader may set for inference: traffic, targets, how copies are run, and what engines reach."""

from dataclasses import dataclass
from typing import Any, Literal

from calculators import facts
from calculators.declare import Default, choice, computed, not_applicable, quantity, switch
from calculators.llm import dimensions
from calculators.subjects.serving.inputs import ENGINE, REQUESTS, Served
from calculators.subjects.serving.memory import LONGEST_CONTEXT
from calculators.vocabulary.inputs import MACHINE, link_bandwidth, peak_flops
from calculators.vocabulary.links import all_to_all_nic_efficiency, gpus_per_domain, nic_bandwidth
from calculators.vocabulary.money import price_per_gpu_hour

TARGETS, FLEET, TIER, DRAFT, SPEED = "targets", "fleet", "tier", "draft", "speed"
Arithmetic = Literal["auto", "16", "8", "4"]
Tier = Literal["none", "host", "drives", "storage"]
PrefillSchedule = Literal["evenly", "chunks"]
_MOST = 1e6


def _tokens(default: Default, label: str, slider: tuple[float, float], about: str, **more: Any) -> Any:
    return quantity(
        default,
        "token",
        label,
        hard=(1, LONGEST_CONTEXT / 10),
        slider=slider,
        scale="log",
        whole=True,
        help=about,
        group=REQUESTS,
        **more,
    )


def _fitted(
    key: str,
    unit: str,
    label: str,
    hard: tuple[float, float],
    slider: tuple[float, float],
    about: str,
    group: str = SPEED,
) -> Any:
    return quantity(facts.fact(key), unit, label, hard=hard, slider=slider, help=about, group=group)


@dataclass(frozen=True, kw_only=True)
class Inputs(Served):
    """What the reader may set; base units (bytes, seconds, tokens, dollars, shares)."""

    input_tokens: float = _tokens(
        computed("default_input_tokens", "usual, or what positions allow"),
        "Prompt",
        (64, 131072),
        "Tokens that a request brings, in the mean.",
        aliases=(
            "prompt",
            "isl",
        ),
    )
    output_tokens: float = _tokens(
        500, "Answer", (16, 16384), "Tokens written for it, thinking included, in the mean.", aliases=("answer", "osl")
    )
    prefix_cache_hit_rate: float = quantity(
        0,
        "share",
        "Share of the prompt found in a cache",
        hard=(0, 0.99),
        help="Prefixes that need not be read again: 0.56 over a day of DeepSeek's service, 0.94 in coding agents' "
        "traces.",
        group=REQUESTS,
        aliases=("cached_share",),
    )
    request_rate: float = quantity(
        (computed("user_request_rate", "from the users at once", when=("concurrent_users",)), 5),
        "request/s",
        "Requests per second",
        hard=(1e-6, _MOST),
        slider=(0.1, 1000),
        scale="log",
        help="At the busiest hour, over all copies.",
        group=REQUESTS,
        aliases=("rps", "rate"),
    )
    concurrent_users: float | None = quantity(
        not_applicable("from the rate"),
        "1",
        "Users at once",
        hard=(1, 1e9),
        slider=(1, 10000),
        scale="log",
        whole=True,
        help="Each asks, reads the answer and asks again: in place of requests per second.",
        group=REQUESTS,
        aliases=("clients", "concurrency"),
    )
    think_time: float = quantity(
        0,
        "s",
        "Time between an answer and the next question",
        hard=(0, 86400),
        slider=(0, 120),
        help="Of each user, where users are given. 0 for a load generator, tens of seconds for people.",
        group=REQUESTS,
    )
    tpot_target: float = quantity(
        facts.fact("tpot-interactive").value,
        "ms",
        "Target: time per output token",
        hard=(1e-4, 100),
        slider=(5e-3, 0.5),
        scale="log",
        help="In the mean over a full batch. MLPerf's interactive limit is 40 ms, its server's 200 ms, at the 99th "
        "percentile.",
        group=TARGETS,
        aliases=("tpot",),
    )
    ttft_target: float = quantity(
        2,
        "ms",
        "Target: time to first token",
        hard=(1e-3, 1000),
        slider=(0.1, 60),
        scale="log",
        help="In the mean. MLPerf's interactive limit is 450 ms, its server's 2 s, at the 99th percentile.",
        group=TARGETS,
        aliases=("ttft",),
    )
    concurrent_sequences: float = quantity(
        computed("sequences_within_target", "as many as memory and target allow"),
        "sequence",
        "Sequences running at once in a copy",
        hard=(1, 1e6),
        slider=(1, 2048),
        scale="log",
        whole=True,
        doubling=True,
        help="Give it to see the speed at another batch.",
        group=TARGETS,
        aliases=(
            "batch",
            "running",
        ),
    )
    target_utilization: float = quantity(
        facts.fact("serving-planned-load"),
        "share",
        "Share of capacity planned with",
        hard=(0.05, 1),
        slider=(0.3, 0.95),
        help="The rest takes bursts.",
        group=FLEET,
        aliases=(
            "headroom",
            "planned_load",
        ),
    )
    spare_replicas: float = quantity(
        0,
        "replica",
        "Copies that may fail",
        hard=(0, 10_000),
        slider=(0, 4),
        whole=True,
        help="So many more than the traffic takes: with 1 it is carried while one copy is down.",
        group=FLEET,
        aliases=(
            "failed_copies",
            "spare_copies",
        ),
    )
    replicas: float | None = quantity(
        computed("replicas_needed", "as many as the traffic takes"),
        "replica",
        "Copies of the model",
        hard=(1, _MOST * 1e3),
        slider=(1, 1000),
        scale="log",
        whole=True,
        help="Give it to see what a fleet of that size does.",
        group=FLEET,
        aliases=("copies",),
    )
    disaggregated: bool = switch(
        default=False,
        label="Prefill on GPUs of its own",
        help="Prompts are read on other copies, which send the cache to those that write.",
        group=FLEET,
    )
    transfer_bandwidth: float = quantity(
        facts.fact("kv-transfer-bandwidth"),
        "B/s",
        "Sending a cache to those that write, for each GPU",
        hard=(1e6, 1e13),
        slider=(1e9, 450e9),
        scale="log",
        group=FLEET,
    )
    price_per_gpu_hour: float = price_per_gpu_hour(group=FLEET)
    load_bandwidth: float = quantity(
        facts.fact("serving-load-bandwidth"),
        "B/s",
        "Loading weights, for a copy",
        hard=(1e6, 1e13),
        slider=(0.1e9, 100e9),
        scale="log",
        help="From where they really lie, while others load as well.",
        group=FLEET,
    )
    start_fixed: float = _fitted(
        "serving-start-fixed",
        "s",
        "Starting a copy, beside loading",
        (0, 36000),
        (0, 600),
        "Compiling, capturing.",
        group=FLEET,
    )
    prefill_chunk: float = quantity(
        facts.fact("serving-chunk"),
        "token",
        "Prompt tokens read in one step, at most",
        hard=(16, 10e6),
        slider=(256, 65536),
        scale="log",
        whole=True,
        doubling=True,
        help="Engines' batched tokens.",
        group=ENGINE,
        aliases=(
            "max_num_batched_tokens",
            "chunk",
        ),
    )
    prefill_schedule: PrefillSchedule = choice(
        "evenly",
        "Prompts read along with answers",
        {
            "evenly": "evenly, a part of them in every step",
            "chunks": "in whole chunks, in few long steps",
        },
        help="A roofline of the mean step, or what engines do: nearer to published runs, and fewer sequences.",
        group=ENGINE,
        aliases=("prompts_read",),
    )
    max_concurrent_sequences: float = quantity(
        facts.fact("serving-most-sequences"),
        "sequence",
        "Sequences the engine runs at most",
        hard=(1, 1e6),
        slider=(1, 16384),
        scale="log",
        whole=True,
        doubling=True,
        help="A setting: 256 to 1,024 in vLLM, 2,048 in TensorRT-LLM.",
        group=ENGINE,
        aliases=(
            "max_num_seqs",
            "max_batch_size",
            "most_sequences",
        ),
    )
    arithmetic: Arithmetic = choice(
        "auto",
        "Arithmetic",
        {
            "auto": "as narrow as the weights and the GPU allow",
            "16": "16 bits, whatever the weights are kept in",
            "8": "8 bits",
            "4": "4 bits",
        },
        help="Weights of one byte run at the 8-bit rate, narrower ones at the 4-bit rate where the GPU has one, "
        "else at that of 16 bits.",
        group=ENGINE,
    )
    draft_tokens: float = quantity(
        0,
        "token",
        "Tokens drafted for each step",
        hard=(0, 64),
        slider=(0, 16),
        whole=True,
        help="Speculative decoding: so many are guessed and checked in one step.",
        group=DRAFT,
    )
    draft_acceptance_rate: float = quantity(
        facts.fact("serving-acceptance"),
        "share",
        "Drafted tokens that are right",
        hard=(0, 1),
        help="Each by itself, given that those before it were.",
        group=DRAFT,
        aliases=("acceptance",),
    )
    draft_cost: float = quantity(
        facts.fact("serving-draft-cost"),
        "share",
        "Time to draft a token",
        hard=(0, 1),
        slider=(0, 0.5),
        help="As a share of a step's reading and latency without drafts.",
        group=DRAFT,
    )
    offload_tier: Tier = choice(
        "none",
        "Where caches wait that are not in use",
        {
            "none": "nowhere: they are dropped, and read again",
            "host": "in the servers' own memory",
            "drives": "on the servers' own drives",
            "storage": "on shared storage",
        },
        group=TIER,
        aliases=("tier",),
    )
    offload_bandwidth: float = quantity(
        computed("typical_offload_bandwidth", "usual for this tier"),
        "B/s",
        "Reading caches back, for each GPU",
        hard=(1e6, 1e13),
        slider=(0.1e9, 500e9),
        scale="log",
        group=TIER,
        aliases=("tier_bandwidth",),
    )
    sessions: float = quantity(
        0,
        "session",
        "Sessions whose cache is worth keeping",
        hard=(0, 1e9),
        slider=(0, 10_000),
        whole=True,
        help="Conversations or agents that will come back.",
        group=TIER,
    )
    session_context: float = quantity(
        facts.fact("agents-cache.context"),
        "token",
        "Context of such a session",
        hard=(1, LONGEST_CONTEXT / 10),
        slider=(1024, 1048576),
        scale="log",
        whole=True,
        help="Coding agents: 80,000 tokens by their thirtieth turn.",
        group=TIER,
    )
    peak_flops: float = peak_flops()
    peak_flops_fp8: float | None = quantity(
        not_applicable("no such rate"),
        "FLOP/s",
        "Peak FLOPs per GPU in 8 bits",
        hard=(1e9, 1e18),
        slider=(100e12, 20e15),
        scale="log",
        help="Dense.",
        group=MACHINE,
    )
    peak_flops_fp4: float | None = quantity(
        not_applicable("no such rate"),
        "FLOP/s",
        "Peak FLOPs per GPU in 4 bits",
        hard=(1e9, 1e18),
        slider=(100e12, 40e15),
        scale="log",
        help="Dense.",
        group=MACHINE,
    )
    link_bandwidth: float = link_bandwidth(MACHINE)
    gpus_per_domain: float = gpus_per_domain(MACHINE)
    nic_bandwidth: float = nic_bandwidth(MACHINE)
    bandwidth_efficiency: float = _fitted(
        "serving-bandwidth-efficiency",
        "share",
        "Memory bandwidth reached",
        (0.05, 1),
        (0.5, 1),
        "Latency is counted apart.",
    )
    compute_efficiency: float = quantity(
        computed("typical_compute_efficiency", "usual for this kind of model and arithmetic"),
        "share",
        "Arithmetic reached",
        hard=(0.01, 1),
        slider=(0.1, 0.9),
        spread=facts.fact("serving-compute-efficiency").spread,
        help="Of the peak in the precision that is used: less with four bits, and with experts.",
        group=SPEED,
    )
    layer_latency: float = quantity(
        computed("typical_layer_latency", "usual for this kind of model"),
        "s",
        "Latency of a layer",
        hard=(0, 0.01),
        slider=(0, 200e-6),
        help="What each layer of a step costs however little it does. Engines without captured graphs take several "
        "times as long.",
        group=SPEED,
    )
    sequence_latency: float = _fitted(
        "serving-sequence-latency",
        "s",
        "Latency of a sequence",
        (0, 0.01),
        (0, 50e-6),
        "What each running sequence adds to a step.",
    )
    allreduce_latency: float = quantity(
        computed("typical_allreduce_latency", "usual for so many ranks"),
        "s",
        "Latency of an all-reduce",
        hard=(0, 0.01),
        slider=(0, 50e-6),
        help="Two of them in every layer with tensor parallelism. 20 to 34 µs without captured graphs.",
        group=SPEED,
    )
    allreduce_link_efficiency: float = _fitted(
        "serving-allreduce-link-efficiency",
        "share",
        "Links reached in an all-reduce",
        (0.01, 2),
        (0.2, 1),
        "Of one direction.",
    )
    all_to_all_nic_efficiency: float = all_to_all_nic_efficiency(SPEED)
    attention_width: float = dimensions.attention_width()
