"""A quantity typed straight into a page stops the build; a fact, a result and a marked example do not."""

from __future__ import annotations

import pytest

from builder.pages import prose


@pytest.mark.parametrize(
    "quantity",
    [
        "80 GB",
        "80GB",
        "192 GiB",
        "3.35 TB/s",
        "400 Gbit/s",
        "400 Gb/s",
        "900 GB/s",
        "2 B/parameter",
        "14 bytes",
        "700 W",
        "120 kW",
        "1.5 MW",
        "989 TFLOP/s",
        "5 µs",
        "100 ms",
        "30 seconds",
        "1 min",
        "54 days",
        "3 months",
        "2 years",
        "40%",
        "40 %",
        "12 percent",
        "$2.50",
        "€3",
        "2 dollars",
        "30 °C",
        "1,024 GPUs",
        "16,384 GPUs",
        "8–16 nodes",
        "8-16 nodes",
        "15 tokens/s",
        "70 racks",
    ],
)
def test_a_naked_quantity_is_refused_and_named(quantity: str) -> None:
    with pytest.raises(prose.NakedQuantityError) as caught:
        prose.check(f"---\ntitle: A chapter\n---\n\nIt takes {quantity} they say.\n")
    message = str(caught.value)
    assert message.startswith("line 5 states “")
    assert message.partition("“")[2].partition("”")[0] in quantity
    assert "illustrative" in message


@pytest.mark.parametrize(
    "text",
    [
        '{{ fact("h100-sxm.memory") }} of memory',
        'a save of {{ result("checkpoint", "checkpoint_size", parameters="405B") }}',
        'every {{ illustrative("12 hours") }}',
        '{{ open_calculator("checkpoint", "with 80 GB/s", write_bandwidth="80 GB/s") }}',
        '{{ card("checkpoint", interval="1 h") }}',
        "{# 80 GB was wrong #}",
        "{% set hours = 12 %}",
    ],
)
def test_facts_results_and_marked_examples_pass(text: str) -> None:
    prose.check(text)


@pytest.mark.parametrize(
    "text",
    [
        "Read on 20 November 2026, published in 2024.",
        "From 2021 to 2026, over the 2020s.",
        "Chapter 3, step 2, figure 4, a factor of 2.",
        "See [the paper](https://example.org/80GB/40%25).",
        "Type `80 GB` into the box.",
        "```text\nwrite_bandwidth 80 GB/s\n```",
        '<text x="40%">wide</text>',
        "### Heading {: #in-30-days }",
    ],
)
def test_dates_counts_code_and_addresses_pass(text: str) -> None:
    prose.check(text)


@pytest.mark.parametrize(
    "name",
    ["H100", "GB200 NVL72", "PCIe 5", "Llama 3.1 405B", "fp8", "RAID 6", "800G", "NVLink 4", "E1.S"],
)
def test_names_of_products_pass(name: str) -> None:
    prose.check(f"The {name} is named here.")


def test_the_front_matter_is_no_prose() -> None:
    prose.check("---\ntitle: Up to 80 GB\n---\nText.\n")


def test_the_line_named_is_the_line_in_the_file() -> None:
    with pytest.raises(prose.NakedQuantityError, match=r"^line 4 states “80 GB”"):
        prose.check("```text\nsome\n```\nIt has 80 GB.\n")
