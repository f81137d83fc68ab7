"""Warnings of collectives: layouts, message sizes and racks for which the model's result needs care."""

from calculators.declare import Verdict, formulas_of, warning
from calculators.subjects.network.collectives.algorithms import ENOUGH_HALF_SIZES, IN_A_SERVER
from calculators.subjects.network.collectives.inputs import Collective, InNetwork

WHOLE_SHARDS = 3
TWO = 2
FEW_DOMAINS = 4
_EXPERTS = "experts=64&experts_per_token=4&expert_parallel=64&tensor_parallel=1&pipeline_parallel=1&data_parallel=64"


@warning(speaks="model=gpt-3-175b&sequence_length=8192", silent="")
def sequence_beyond_positions(sequence_length: float, positions: float | None) -> str:
    """The sequence is longer than the model supports."""
    if positions is None or sequence_length <= positions:
        return ""
    return (
        "The model supports {positions}, and the sequence has {sequence_length}: "
        "valid only where its position encoding is extended."
    )


@warning(speaks="tensor_parallel=16&data_parallel=16", silent="tensor_parallel=4&context_parallel=2&data_parallel=16")
def tensor_leaves_domain(tensor_parallel: float, context_parallel: float, gpus_per_domain: float) -> str:
    """Ranks that wait for each other at every layer communicate over the network."""
    if tensor_parallel > gpus_per_domain:
        return (
            "Tensor parallelism over {tensor_parallel} exceeds the scale-up domain of {gpus_per_domain}: "
            "the network is {link_over_network}× slower than the links."
        )
    if tensor_parallel * context_parallel > gpus_per_domain and context_parallel > 1:
        return (
            "Context parallelism exceeds the scale-up domain of {gpus_per_domain}: "
            "the network is {link_over_network}× slower than the links."
        )
    return ""


@warning(speaks="ranks=16", silent="")
def two_domains(collective: Collective, domains: float) -> str:
    """A test on two nodes overstates the network."""
    if collective != "all_reduce" or domains != TWO:
        return ""
    return (
        "Two-node runs overstate the network: a tree crosses it once, so bus bandwidth can reach 2× that of the NICs. "
        "Measure with NCCL_ALGO=Ring, or on four nodes."
    )


@warning(speaks="", silent="in_network=none")
def bus_bandwidth_is_a_score(nccl_algorithm: Verdict) -> str:
    """A bus bandwidth that no link carries."""
    if "NVLS" not in nccl_algorithm.word:
        return ""
    return "With NVLS the bus bandwidth is a score, not the rate on any link."


@warning(speaks="accelerator=a100-sxm-80gb", silent="accelerator=a100-sxm-80gb&in_network=none")
def no_nvls_support(in_network: InNetwork, nvls_efficiency: float, collective: Collective) -> str:
    """In-switch reduction is chosen for switches that cannot reduce."""
    if in_network == "none" or nvls_efficiency > 0 or collective != "all_reduce":
        return ""
    return "The scale-up switches of this accelerator cannot reduce (no NVLS): only rings and trees are modeled."


@warning(speaks="collective=all-to-all", silent="collective=all-to-all&ranks=8")
def nic_limits_all_to_all(collective: Collective, domains: float) -> str:
    """An all-to-all over the network is limited by the NIC of each GPU."""
    if collective != "all_to_all" or domains == 1:
        return ""
    return "Between nodes the NIC of each GPU limits an all-to-all, {nic_bandwidth}, not the sum of the node's NICs."


@warning(speaks="ranks=20", silent="ranks=24")
def uneven_group(ranks: float, gpus_per_domain: float) -> str:
    """Domains hold different numbers of the group's GPUs."""
    if ranks <= gpus_per_domain or ranks % gpus_per_domain == 0:
        return ""
    return (
        "A group of {ranks} leaves a domain of {gpus_per_domain} partly empty: the domain with the fewest GPUs sets "
        "the pace, and the results assume an even spread."
    )


@warning(speaks="message_size=16MiB", silent="")
def small_message_uncertain(message_size: float, half_size: float) -> str:
    """Message sizes at which runs took longer than NCCL's model says."""
    if message_size >= ENOUGH_HALF_SIZES * half_size:
        return ""
    return (
        "Below 4× the half-bandwidth size, measured runs took up to 2× the modeled time, {collective_time_at_most} "
        "here: rely on the plateau, {plateau_bus_bandwidth}."
    )


@warning(speaks="accelerator=gb200&ranks=72", silent="accelerator=gb200&ranks=72&collective=all-gather")
def racks_are_slower(
    gpus_per_domain: float, ranks: float, domains: float, in_network: InNetwork, collective: Collective
) -> str:
    """Domains larger than a server, for which NCCL's NVLS model is optimistic."""
    if min(gpus_per_domain, ranks) <= IN_A_SERVER or in_network == "none" or collective != "all_reduce":
        return ""
    if domains > TWO:
        return (
            "NVLS over more than two racks of this kind was never measured at this speed: 20 racks ran at the speed "
            "of a ring (LL128), {ring_ll128_time} here."
        )
    return (
        "With NVLS, measured runs took 20% longer than modeled in one rack of 72 GPUs, and 25% to over 50% longer "
        "over two racks: up to {collective_time_at_most}."
    )


@warning(speaks="zero_stage=3", silent="")
def zero3_traffic_per_micro_batch(zero_stage: int, micro_batches: float, data_parallel: float) -> str:
    """Sharded weights are gathered for each of several micro-batches."""
    if zero_stage != WHOLE_SHARDS or micro_batches == 1 or data_parallel == 1:
        return ""
    return (
        "ZeRO stage 3 gathers weights and scatters gradients for each of {micro_batches}: {data_bytes} per step. "
        "Fewer, larger micro-batches send less."
    )


@warning(speaks=_EXPERTS, silent=f"{_EXPERTS}&nodes_per_token=4")
def routing_not_limited(experts_per_token: float, nodes_per_token: float | None, expert_domains: float) -> str:
    """Tokens may be routed to every node."""
    if experts_per_token == 1 or nodes_per_token is not None or expert_domains <= FEW_DOMAINS:
        return ""
    return (
        "The experts of a token are in {expected_domains} domains on average: a router limited to four nodes per "
        "token, as in DeepSeek-V3, sends fewer copies over the network."
    )


FORMULAS = formulas_of(globals())
