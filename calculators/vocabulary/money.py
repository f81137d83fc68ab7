"""Money: shared inputs and formulas that turn GPU-hours into dollars."""

from typing import Any, Literal

from calculators import facts
from calculators.declare import Default, choice, quantity, step
from calculators.units import HOUR, MILLION, MONTH, YEAR

PRICE = "price-per-gpu-hour-h100"
Per = Literal["hour", "month", "year", "million", "whole"]
_MOST_GPU_HOURS = 1e12


def money_per(*, group: str, default: Per = "hour") -> Any:
    """The switch for what money is shown per; the same on every page that has money."""
    return choice(
        default,
        "Show cost per",
        {
            "hour": "per GPU and hour",
            "month": "per month",
            "year": "per year",
            "million": "per million tokens",
            "whole": "in total",
        },
        help="How the answer states money: in total is the run, or all years of the depreciation period.",
        group=group,
        aliases=("cost_per",),
    )


def price_per_gpu_hour(*, group: str) -> Any:
    """Rent of one accelerator for an hour."""
    return quantity(
        facts.fact(PRICE),
        "USD/GPU-hour",
        "Price per GPU-hour",
        hard=(0, 10_000),
        slider=(0.5, 12),
        help="What a GPU-hour costs you, with its share of servers, network and storage. "
        "On demand at specialist clouds in May 2026 where the menu has one; by default an H100's.",
        group=group,
        aliases=("price", "rent_per_gpu_hour"),
    )


def goodput(*, group: str) -> Any:
    """Share of elapsed time that moves a run forward."""
    return quantity(
        facts.fact("goodput"),
        "share",
        "Goodput",
        hard=(0.001, 1),
        slider=(0.4, 1),
        help="Share of elapsed time that moves the run forward: without failures, restarts, evaluations and waiting.",
        group=group,
    )


def gpu_hours(*default: Default, about: str, group: str) -> Any:
    """GPU-hours of a run, as they are billed."""
    return quantity(
        default,
        "GPU-hour",
        "GPU-hours",
        hard=(0, _MOST_GPU_HOURS),
        slider=(1e3, 1e9),
        scale="log",
        help=about,
        group=group,
    )


@step("USD", "Cost of the run", rises_with=("price_per_gpu_hour",))
def training_cost(gpu_hours: float, price_per_gpu_hour: float) -> float:
    """GPU-hours at their price [USD]. DeepSeek-V3 prints $5.576M for 2.788M hours at $2.

    >>> training_cost(2.788e6, 2)
    5576000.0
    """
    return gpu_hours * price_per_gpu_hour


@step("USD", "Rent of a million tokens", rises_with=("price_per_gpu_hour",))
def cost_per_million(price_per_gpu_hour: float, serving_tokens_per_second_per_gpu: float) -> float:
    """Cost of GPUs per million output tokens [USD], with GPUs busy all the time.

    One H100 at $2.69 that writes 16,542 tokens a second: printed as $0.04517.

    >>> round(cost_per_million(2.69, 16541.95385787464), 5)
    0.04517
    """
    return price_per_gpu_hour / (serving_tokens_per_second_per_gpu * HOUR) * MILLION


def shown_per(per: Per, *, year: float, gpus: float, million: float, whole: float) -> float:
    """An amount of money [USD] in the way the reader asked for, from that of a `year` [USD].

    >>> round(shown_per("month", year=1200, gpus=8, million=1, whole=5000))
    100
    """
    amounts = {
        "hour": year / (gpus * YEAR / HOUR),
        "month": year * MONTH / YEAR,
        "year": year,
        "million": million,
        "whole": whole,
    }
    return amounts[per]
