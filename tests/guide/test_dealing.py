"""Dealing at random, by hand and against throwing."""

from __future__ import annotations

from collections import Counter
from random import Random
from statistics import median

import pytest

from calculators.guide.dealing import chance_of, fullest_server, times_even_share


def test_two_clients_of_two_servers_meet_half_of_the_time() -> None:
    # Neither, either or both of the clients choose the first: 1/4, 1/2, 1/4.
    assert [chance_of(count, 2, 2) for count in range(3)] == pytest.approx([1 / 4, 1 / 2, 1 / 4])


@pytest.mark.parametrize(("clients", "servers"), [(64, 64), (128, 64), (1024, 64), (512, 32)])
def test_the_fullest_server_is_the_one_of_a_thousand_throws(clients: int, servers: int) -> None:
    throw = Random(clients + servers)  # noqa: S311  no secret
    fullest = [max(Counter(throw.randrange(servers) for _ in range(clients)).values()) for _ in range(1000)]
    assert fullest_server(clients, servers) == pytest.approx(median(fullest), abs=1)


def test_one_server_serves_all_and_no_more_than_its_share() -> None:
    assert fullest_server(7, 1) == 7
    assert times_even_share(7, 7, 1) == 1
