"""Many clients of one store, by hand from what was published of 63 nodes."""

from __future__ import annotations

import pytest

from calculators import facts
from calculators.guide.contention import filling_clients, offered_rate, reached_rate, request_time, shared_rate
from calculators.guide.loss import lost_time, share_of_run

PORT = 25e9  # 200 Gbit/s


def test_a_client_gets_its_port_until_the_storage_system_is_full_and_an_even_share_from_then_on() -> None:
    assert [shared_rate(250e9, clients, PORT) for clients in (1, 9, 10)] == [PORT, PORT, PORT]
    assert shared_rate(250e9, 11, PORT) == pytest.approx(250e9 / 11)


@pytest.mark.parametrize(("store", "clients"), [(250e9, 10), (700e9, 28), (26e9, 2)])
def test_the_fewest_clients_that_fill_a_storage_system_offer_all_of_it_and_one_less_does_not(
    store: float, clients: int
) -> None:
    assert filling_clients(store, PORT) == clients
    assert offered_rate(clients, PORT) >= store > offered_rate(clients - 1, PORT)


def test_what_the_ports_carried_agrees_with_what_the_storage_system_was_seen_to_carry() -> None:
    # 16 % of 250 GB/s and 21.5 % of 700 GB/s over 63 nodes: both within the 1.4 % to 10.4 % of a port that another
    # version of the same report prints.
    used = facts.fact("lablup-504-clients.port_used").spread
    assert used
    for store, share in ((250e9, 0.16), (700e9, 0.215)):
        assert used[0] < reached_rate(store, share, 63) / PORT < used[1]


def test_requests_under_way_are_the_rate_times_the_time_of_one() -> None:
    # 128 requests of 1 MiB under way, each for an eighth of a second, are 1 GiB/s.
    assert request_time(128, 2**20, 2**30) == 0.125


def test_bloom_lost_twelve_days_of_a_hundred_and_eighteen() -> None:
    assert lost_time(118, 106) == 12
    # The paper's 90 % is 106 of 118 days; the three hangs were 35 hours.
    assert 1 - share_of_run(12, 118) == pytest.approx(facts.fact("bloom-goodput").value, abs=0.005)
    assert share_of_run(35, 118 * 24) == pytest.approx(0.0124, abs=5e-5)
