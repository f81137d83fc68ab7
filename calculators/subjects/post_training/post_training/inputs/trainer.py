"""Inputs on the trainer, on the transfer of its weights to the engines, and on verifiers and sandboxes."""

from dataclasses import dataclass
from typing import Any

from calculators import facts
from calculators.declare import computed, not_applicable, quantity, switch

TRAINER, WEIGHTS, VERIFY = "trainer", "weights", "verify"
_TRANSPORT = "sync-checkpoint-engine"


def _parameters(default: Any, label: str, about: str) -> Any:
    return quantity(default, "parameter", label, hard=(0, 1e15), slider=(0, 1e12), help=about, group=TRAINER)


def _seconds(default: Any, label: str, hard: float, slider: float, about: str, *, group: str) -> Any:
    return quantity(default, "s", label, hard=(0, hard), slider=(0, slider), help=about, group=group)


@dataclass(frozen=True, kw_only=True)
class Trainer:
    """Speed of the trainer and of weight transfer; base units (s, B/s, B, shares)."""

    mfu: float = quantity(
        computed("typical_rl_mfu", "typical for this kind of model"),
        "share",
        "MFU of a step",
        hard=(0.001, 1),
        slider=(0.05, 0.75),
        help="Model FLOPs utilization while the trainer works: 6 FLOPs per active parameter and causal attention.",
        group=TRAINER,
    )
    update_fixed: float = _seconds(
        facts.fact("rl-update-fixed"),
        "Fixed time per update",
        600,
        30,
        "Optimizer, packing of sequences and host work: what more GPUs do not shorten.",
        group=TRAINER,
    )
    critic_parameters: float = _parameters(
        computed("typical_critic", "as large as the model with PPO"), "Critic parameters", "Used with PPO."
    )
    reward_parameters: float = _parameters(
        0, "Reward model parameters", "0 where rules, tests or a service give rewards."
    )
    reward_gpus: float | None = quantity(
        not_applicable("the trainer's"),
        "GPU",
        "GPUs of the reward model",
        hard=(1, 1e6),
        slider=(1, 256),
        scale="log",
        whole=True,
        help="GPUs of its own, besides those of the job; otherwise the trainer's GPUs judge.",
        group=TRAINER,
    )
    micro_batch_size_tokens: float = quantity(
        4096,
        "token",
        "Micro-batch per training GPU",
        hard=(1, 1e7),
        slider=(512, 65536),
        scale="log",
        whole=True,
        doubling=True,
        help="Tokens that one GPU trains at once; decides logits and kept activations.",
        group=TRAINER,
    )
    state_bytes: float = quantity(
        facts.fact("rl-state-bytes"),
        "B/parameter",
        "Training state per parameter",
        hard=(0.1, 64),
        slider=(2, 20),
        help="Weights, gradients and Adam's moments: 16 in mixed precision, 4 where Adam is on the host.",
        group=TRAINER,
    )
    states_offloaded: bool = switch(
        default=False,
        label="Training state offloaded during rollouts",
        help="Colocated: the trainer's state goes to host memory while engines generate.",
        group=TRAINER,
    )
    engine_sleeps: bool = switch(
        default=True,
        label="Engine sleeps during training",
        help="Colocated: the engine frees its memory while the trainer works (vLLM's sleep mode).",
        group=TRAINER,
    )
    sync_bandwidth: float = quantity(
        facts.fact(f"{_TRANSPORT}.sync_bandwidth"),
        "B/s",
        "Weight transfer bandwidth",
        hard=(1e6, 1e13),
        slider=(1e9, 1e12),
        scale="log",
        help="Bytes of the model per second, from trainer to all engines at once. It depends on layout and reshaping "
        "more than on links.",
        group=WEIGHTS,
    )
    sync_fixed: float = _seconds(
        facts.fact(f"{_TRANSPORT}.sync_fixed"),
        "Fixed time of a transfer",
        600,
        30,
        "Pausing engines, gathering and loading.",
        group=WEIGHTS,
    )
    changed_weight_share: float = quantity(
        1,
        "share",
        "Weights sent",
        hard=(0.001, 1),
        help="Below 100% where only changed weights or adapters are sent.",
        group=WEIGHTS,
    )
    switch_time: float = _seconds(
        facts.fact("rl-switch-time"),
        "Sleep and wake, both ways",
        600,
        60,
        "Colocated: putting one of trainer and engine to sleep and waking the other, per step.",
        group=WEIGHTS,
    )


@dataclass(frozen=True, kw_only=True)
class Verifiers:
    """Verifiers, sandboxes and what is kept; base units (s, B)."""

    verifier_time: float = _seconds(
        0.1, "Time to verify a sample", 1e5, 60, "A rule takes milliseconds, unit tests 1 to 60 s.", group=VERIFY
    )
    verifier_cores: float = quantity(
        1, "core", "CPU cores per verification", hard=(0.01, 1000), slider=(1, 32), group=VERIFY
    )
    verifier_pool: float = quantity(
        256, "core", "CPU cores of the verifiers", hard=(1, 1e7), slider=(16, 16384), scale="log", group=VERIFY
    )
    sandboxes: float | None = quantity(
        not_applicable("as many as are in use"),
        "1",
        "Sandboxes",
        hard=(1, 1e7),
        slider=(16, 65536),
        scale="log",
        whole=True,
        help="Environments for tools, one per sample on its way. Fewer limit how many samples the engines hold.",
        group=VERIFY,
    )
    cores_per_sandbox: float = quantity(
        1, "core", "CPU cores per sandbox", hard=(0.01, 1000), slider=(0.25, 16), help="An assumption.", group=VERIFY
    )
    memory_per_sandbox: float = quantity(
        4e9, "B", "Memory per sandbox", hard=(0, 1e13), slider=(0, 64e9), help="An assumption.", group=VERIFY
    )
