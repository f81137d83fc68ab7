"""Inputs on the pools of GPUs: placement and split, staleness, and how the rollout engines are run."""

from dataclasses import dataclass
from typing import Literal

from calculators import facts
from calculators.declare import choice, computed, placed, quantity
from calculators.vocabulary.accelerators import gpus

POOLS = "pools"
Placement = Literal["apart", "colocated"]
LateSamples = Literal["waited", "carried", "dropped"]
Routing = Literal["balanced", "groups"]


@dataclass(frozen=True, kw_only=True)
class Pools:
    """GPUs for training and for rollouts, and the rules of the loop between them; base units (shares)."""

    placement: Placement = choice(
        "apart",
        "Placement",
        {
            "apart": "apart: trainer and rollout engines on GPUs of their own",
            "colocated": "colocated: the same GPUs in turn",
        },
        group=POOLS,
    )
    gpus: float = placed(gpus(128), POOLS)
    train_gpus: float = quantity(
        computed("best_train_gpus", "the best split"),
        "GPU",
        "GPUs that train",
        hard=(1, 10e6),
        slider=(8, 4096),
        scale="log",
        whole=True,
        help="The rest runs rollout engines. Used where the pools are apart.",
        group=POOLS,
    )
    train_group: float = quantity(
        16,
        "GPU",
        "GPUs per training replica",
        hard=(1, 1e6),
        slider=(1, 512),
        scale="log",
        whole=True,
        doubling=True,
        help="GPUs that hold one copy of the training state (tensor × pipeline × shards, see Training memory): the "
        "split moves in steps of this size.",
        group=POOLS,
    )
    max_staleness: float = quantity(
        1,
        "1",
        "Staleness allowed",
        hard=(0, 64),
        slider=(0, 8),
        whole=True,
        help="Steps by which samples may be older than the policy that learns from them, in the mean. 0 is on policy. "
        "AReaL allows up to 8.",
        group=POOLS,
    )
    late_samples: LateSamples = choice(
        "carried",
        "Answers that are late",
        {
            "carried": "carried over: the batch is filled with what is done",
            "waited": "waited for: a batch is complete before it is used",
            "dropped": "dropped, and written again",
        },
        help="What happens to an answer that is not done when its batch is due.",
        group=POOLS,
    )
    rollout_routing: Routing = choice(
        "balanced",
        "Routing of samples",
        {"balanced": "balanced: each to the emptiest engine", "groups": "groups: a prompt's samples share an engine"},
        help="Samples of a prompt are of similar length: together they load engines unevenly.",
        group=POOLS,
        aliases=("routing",),
    )
    rollout_efficiency: float = quantity(
        facts.fact("rl-rollout-efficiency"),
        "share",
        "Rollout engine efficiency",
        hard=(0.2, 1),
        slider=(0.3, 1),
        help="Speed of an engine in the loop over that of Inference's decoding step. Fitted to six published rows: "
        "70%; the default is lower, because rows that were not fitted come out too fast.",
        group=POOLS,
    )
