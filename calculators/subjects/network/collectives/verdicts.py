"""What the figures of collectives mean: whether communication hides, whether a message is large, what to mind."""

from calculators.declare import Verdict, constraint, formulas_of, verdict, warning
from calculators.llm.heads import uneven_kv_heads
from calculators.subjects.network.collectives.algorithms import ENOUGH_HALF_SIZES, IN_A_SERVER
from calculators.subjects.network.collectives.inputs import Collective, InNetwork

HIDDEN_TO, BEARABLE_TO = 0.05, 0.2
NORMAL_FROM = 0.8
WHOLE_SHARDS = 3
TWO = 2
FEW_DOMAINS = 4


@verdict("Does communication stay hidden?")
def stays_hidden(exposed_share: float) -> Verdict:
    """Good below a twentieth of the step, bad above a fifth."""
    reason = "{exposed_time} of a step of {step_time} is exposed communication."
    if exposed_share < HIDDEN_TO:
        return Verdict(level="good", word="hidden", reason=reason)
    if exposed_share <= BEARABLE_TO:
        return Verdict(level="tight", word="partly exposed", reason=reason)
    return Verdict(level="bad", word="exposed", reason=reason)


@verdict("Is the message big enough?")
def big_enough(message_size: float, half_size: float) -> Verdict:
    """Good from four half-sizes, bad below one."""
    if message_size >= ENOUGH_HALF_SIZES * half_size:
        return Verdict(level="good", word="big enough", reason="It is four times the half-size of {half_size} or more.")
    if message_size >= half_size:
        return Verdict(
            level="tight",
            word="middling",
            reason="Half of the plateau is reached from {half_size}; rely on times from four times that.",
        )
    return Verdict(
        level="bad",
        word="too small",
        reason="Latency decides below {half_size}: send fewer, larger messages.",
    )


@verdict("Is the measurement normal?")
def measured_normal(measured_bus_bandwidth: float, plateau_bus_bandwidth: float) -> Verdict:
    """Normal from four fifths of the plateau."""
    if measured_bus_bandwidth == plateau_bus_bandwidth:
        return Verdict(
            level="good", word="nothing measured", reason="Large messages should show {plateau_bus_bandwidth}."
        )
    reason = (
        "{measured_bus_bandwidth} is {measured_share} of the {plateau_bus_bandwidth} that large messages should show"
    )
    if measured_bus_bandwidth * NORMAL_FROM > plateau_bus_bandwidth:
        return Verdict(
            level="tight",
            word="faster than modelled",
            reason=f"{reason}: look for other links or cards than given here, bits taken for bytes, a wrong factor.",
        )
    if measured_bus_bandwidth >= NORMAL_FROM * plateau_bus_bandwidth:
        return Verdict(level="good", word="normal", reason=f"{reason}.")
    return Verdict(
        level="bad", word="too slow", reason=f"{reason}: the whole output, pasted below, tells likely reasons."
    )


@constraint("tensor_parallel")
def ranks_share_heads(tensor_parallel: float, kv_heads: float) -> str:
    """Ranks of tensor parallelism hold the same number of key-value heads, or of copies of one."""
    return uneven_kv_heads(kv_heads, tensor_parallel)


@constraint("expert_parallel")
def experts_from_ranks(
    expert_parallel: float, tensor_parallel: float, data_parallel: float, context_parallel: float
) -> str:
    """Ranks of experts are made of those of the other degrees, but for stages."""
    if tensor_parallel * data_parallel * context_parallel % expert_parallel == 0:
        return ""
    return (
        "Expert parallel must divide tensor parallel times data parallel times context parallel, "
        "from whose ranks it is made"
    )


@warning
def sequence_beyond_positions(sequence_length: float, positions: float | None) -> str:
    """A sequence longer than the model is made for."""
    if positions is None or sequence_length <= positions:
        return ""
    return (
        "The model is made for {positions} at most, not for {sequence_length}: "
        "right only if its positions are being stretched."
    )


@warning
def tensor_leaves_domain(tensor_parallel: float, context_parallel: float, gpus_per_domain: float) -> str:
    """Ranks that wait for each other at every layer, over the network."""
    if tensor_parallel > gpus_per_domain:
        return (
            "Tensor parallelism over {tensor_parallel} leaves the scale-up domain of {gpus_per_domain}: "
            "the network is {link_over_network} times slower than the links."
        )
    if tensor_parallel * context_parallel > gpus_per_domain and context_parallel > 1:
        return (
            "Context parallelism leaves the scale-up domain of {gpus_per_domain}: "
            "the network is {link_over_network} times slower than the links."
        )
    return ""


@warning
def two_domains(collective: Collective, domains: float) -> str:
    """A test on two nodes."""
    if collective != "all_reduce" or domains != TWO:
        return ""
    return (
        "Two nodes flatter the network: a tree crosses it once, so that bus bandwidth may reach twice the cards. "
        "Measure with NCCL_ALGO=Ring, or on four nodes."
    )


@warning
def no_rate_on_a_wire(best_algorithm: Verdict) -> str:
    """A bus bandwidth that no wire carries."""
    if "NVLS" not in best_algorithm.word:
        return ""
    return "Bus bandwidth of switches that add is a score, no rate on a wire."


@warning
def switches_that_do_not_add(in_network: InNetwork, nvls_efficiency: float, collective: Collective) -> str:
    """Reduction in switches that cannot."""
    if in_network == "none" or nvls_efficiency > 0 or collective != "all_reduce":
        return ""
    return "The scale-up switches of this accelerator do not add: rings and trees are reckoned with."


@warning
def own_card_decides(collective: Collective, domains: float) -> str:
    """All-to-all over the network."""
    if collective != "all_to_all" or domains == 1:
        return ""
    return "Between nodes each GPU's own card decides an all-to-all, {nic_bandwidth}, not the sum of the node's cards."


@warning
def uneven_group(ranks: float, gpus_per_domain: float) -> str:
    """Domains that hold different numbers of the group's GPUs."""
    if ranks <= gpus_per_domain or ranks % gpus_per_domain == 0:
        return ""
    return (
        "The group of {ranks} leaves a domain of {gpus_per_domain} partly empty: the domain with the fewest sets the "
        "pace, and the figures hold for an even spread."
    )


@warning
def latency_is_a_constant(message_size: float, half_size: float) -> str:
    """Sizes at which runs took longer than NCCL's model says."""
    if message_size >= ENOUGH_HALF_SIZES * half_size:
        return ""
    return (
        "Below four half-sizes runs took up to twice as long, {collective_time_at_most} here: "
        "rely on the plateau, {plateau_bus_bandwidth}."
    )


@warning
def racks_are_slower(
    gpus_per_domain: float, ranks: float, domains: float, in_network: InNetwork, collective: Collective
) -> str:
    """Domains larger than a server, where the formula for switches that add is optimistic."""
    if min(gpus_per_domain, ranks) <= IN_A_SERVER or in_network == "none" or collective != "all_reduce":
        return ""
    if domains > TWO:
        return (
            "Over more than two racks of this kind switches that add were never measured at this speed: twenty racks "
            "ran as a ring in LL128 does, {ring_ll128_time} here."
        )
    return (
        "Where switches add, runs took a fifth longer than this in one rack of 72, and a quarter to over a half longer "
        "over two: up to {collective_time_at_most}."
    )


@warning
def gathers_every_micro_batch(zero_stage: int, micro_batches: float, data_parallel: float) -> str:
    """Sharded weights with many micro-batches."""
    if zero_stage != WHOLE_SHARDS or micro_batches == 1 or data_parallel == 1:
        return ""
    return (
        "ZeRO stage 3 gathers weights and scatters gradients for each of {micro_batches}: {data_bytes} a step. "
        "Fewer, larger micro-batches send less."
    )


@warning
def experts_everywhere(experts_per_token: float, nodes_per_token: float | None, expert_domains: float) -> str:
    """Tokens that may go to every node."""
    if experts_per_token == 1 or nodes_per_token is not None or expert_domains <= FEW_DOMAINS:
        return ""
    return (
        "The experts of a token stand in {expected_domains} domains on average: a router that may use only four, "
        "as DeepSeek-V3's does, sends fewer copies over the network."
    )


FORMULAS = formulas_of(globals())
