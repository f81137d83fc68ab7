"""An outage of a link: how long a transport waits for an answer before it gives the connection up."""

from calculators.declare import step


@step("s", "Time until a packet is sent again", rises_with=("ack_exponent",))
def ack_timeout(ack_exponent: float) -> float:
    """Time that an InfiniBand or RoCE card waits for an acknowledgement [s], by the exponent that programs set.

    Local Ack Timeout of the InfiniBand specification, volume 1, 12.7.34: 4.096 microseconds times a power of two.
    NCCL sets it by `NCCL_IB_TIMEOUT`, from 1 to 22.

    >>> round(ack_timeout(18), 2), round(ack_timeout(20), 1)  # NCCL's guide prints 1.1 and 4.3 s
    (1.07, 4.3)
    """
    return 4.096e-6 * 2**ack_exponent


@step("s", "Outage that is survived", rises_with=("ack_timeout", "ack_retries"))
def survived_outage(ack_timeout: float, ack_retries: float) -> float:
    """Longest outage of a link [s] before a transport with `ack_retries` retries ends the connection.

    The product, as NCCL's guide counts it; cards may wait somewhat longer than the specification asks.

    >>> round(survived_outage(ack_timeout(18), 7), 1)  # NCCL's guide prints 7.5 s
    7.5
    """
    return ack_timeout * ack_retries
