"""Spares, drives and nodes of a store at figures that do not divide, by hand."""

from __future__ import annotations

from math import exp

import pytest

from calculators.guide import refetch
from calculators.subjects.storage.goodput import spares
from calculators.subjects.storage.storage_demand import drives, nodes, requirements
from calculators.units import DAY, YEAR


def test_a_job_waits_for_nodes_that_are_away() -> None:
    assert spares.nodes_in_repair(0.5, 1000, 300) == pytest.approx(5 / 3)
    assert spares.nodes_in_repair(0.5, None, 300) == spares.nodes_in_repair(0.5, 0, 300) == 0
    # With a load of 1.5: 1.5 / 2.5, then 0.9 / 2.9.
    assert spares.waiting_for_spare(0, 1.5) == pytest.approx(0.6)
    assert spares.waiting_for_spare(1, 1.5) == pytest.approx(0.9 / 2.9)
    assert (spares.spares_needed(1), spares.spares_needed(0), spares.spares_needed(10_000.5)) == (4, 0, 10_001)


def test_upkeep_and_corruption_take_their_part_of_each_hour() -> None:
    assert spares.planned_loss(10, 20, 30, 70) == pytest.approx(6 / 7)
    assert spares.planned_loss(10, 20, 30, None) == 0
    assert spares.corruption_loss(5, 8, 7, 3, 100) == pytest.approx(0.48)
    assert spares.corruption_loss(5, 8, 7, 3, None) == 0
    assert spares.goodput(0.9, spares.undisturbed_share(0.1, 0.2, 0.3)) == pytest.approx(0.81 / 1.56)
    assert 0 < spares.goodput(0, spares.undisturbed_share(0.1, 0.2, 0.3)) < 1e-300
    assert spares.gpus_lost(7, 0.3) == pytest.approx(4.9)
    assert spares.of_what_is_paid(0.9, 0.1, 3, 8, 70) == pytest.approx(0.81 * 70 / 94)
    assert [spares.clean_checkpoints_needed(delay, 3600, 2) for delay in (7199, 7200, 7201)] == [2, 2, 3]


def test_drives_wear_by_what_is_written() -> None:
    assert drives.store_written_per_day(5, 1e-4, 2e-4) == pytest.approx(30.92)
    assert drives.writes_per_drive_and_day(7, 1.5, 4, 2) == pytest.approx(1.3125)
    assert drives.drive_life(10, 3, 4) == drives.local_drive_life(10, 3, 4) == 7.5
    assert drives.local_drive_life(5 * YEAR, 1, 0) == pytest.approx(1000 * YEAR)
    assert drives.drive_endurance(7, 1.5, 2.5 * DAY) == pytest.approx(26.25)
    assert drives.local_drive_writes_per_day(7, 3, 4, 2) == pytest.approx(2.625)
    assert drives.local_checkpoints_per_day(None, 3, 7) == pytest.approx(DAY / 7)
    assert drives.local_checkpoints_per_day(7, 1, 11) == pytest.approx(DAY / 7)


def test_a_rebuild_is_shared_by_the_other_drives() -> None:
    """Seven tenths of 9 B, four read and one written for each, by a quarter of the slower rate of ten others."""
    assert drives.rebuild_time(9, 0.7, 4, 0.25, 11, 3, 2) == pytest.approx(31.5 / 5)
    assert drives.rebuild_time(9, 0.7, 4, 0.25, 11, 2, 3) == pytest.approx(31.5 / 5)
    assert drives.rebuild_time(9, 0.7, 4, 0.25, 1, 2, 3) == pytest.approx(63)
    assert drives.rebuild_exposure(11, 0.02, YEAR / 8) == pytest.approx(1 - exp(-0.025))
    assert drives.rebuild_exposure(1, 0.02, YEAR) == drives.rebuild_exposure(0, 0.02, YEAR) == 0
    assert drives.load_direct(7, 3, 2) == 10.5
    assert (drives.load_broadcast(9, 4, 2), drives.load_broadcast(9, 2, 4)) == (4.5, 4.5)


def test_each_limit_needs_its_nodes() -> None:
    assert nodes.storage_node_read(3, 7, 20, 0.5) == 10
    assert nodes.storage_node_read(3, 6, 20, 0.5) == 9
    assert nodes.storage_node_write(3, 7, 1.5, 20, 0.5) == 7
    assert nodes.storage_node_write(3, 7, 1.5, 13, 0.5) == 6.5
    for limit in (
        nodes.storage_nodes_for_read,
        nodes.storage_nodes_for_write,
        nodes.storage_nodes_for_requests,
        nodes.storage_nodes_for_metadata,
    ):
        assert limit(7, 2) == 3.5
    assert nodes.storage_nodes_for_capacity(7, 4, 0.5) == 3.5
    assert nodes.storage_nodes_for_endurance(7, 1.5, 4, 0.5, 3) == 1.75
    assert [nodes.fewest_nodes(data, 2) for data in (8, 9, 10)] == [5, 6, 6]
    for place in range(7):
        assert nodes.nodes_needed(*[3.0 if place == one else 1.0 for one in range(7)]) == 3
    assert nodes.nodes_needed(1, 1.1, 1, 1, 1, 1, 1) == 2


def test_supplies_are_those_of_all_nodes() -> None:
    assert nodes.drives(7, 3) == 21
    assert nodes.storage_ports(3, 100, 40) == 9
    assert nodes.read_supply(7, 1.5) == nodes.write_supply(7, 1.5) == 10.5
    assert nodes.store_network(3, 7, 0.5) == nodes.client_supply(3, 7, 0.5) == 10.5
    assert nodes.reader_supply(3, 7, 0.5) == 10.5
    assert nodes.read_per_gpu_node(7, 2) == nodes.write_per_writer_node(7, 2) == 3.5
    assert (nodes.read_by_rule(7, 1.5), nodes.storage_nodes_by_rule(7, 2)) == (10.5, 4)


def test_a_job_needs_what_it_reads_and_writes() -> None:
    assert (requirements.spaced_interval(5, 7), requirements.spaced_interval(7, 5)) == (7, 7)
    assert requirements.read_per_gpu(7, 3, 0.25) == 15.75
    assert requirements.training_read(7, 1.5) == 10.5
    assert requirements.restore_read(7, 3, 2) == requirements.weights_load_rate(7, 3, 2) == 10.5
    assert (requirements.read_demand(5, 7, 11, 13, 17), requirements.read_demand(5, 11, 7, 13, 17)) == (46, 46)
    assert requirements.write_demand(5, 7, 11) == 23
    assert requirements.request_demand(7, 2, 5) == 8.5
    assert requirements.metadata_demand(7, 3, 0.25, 0.5, 4) == 31.5


def test_a_cache_is_fetched_over_one_way_or_over_all() -> None:
    assert (refetch.fetch_time(7, 2), refetch.shared_fetch_time(7, 2, 4)) == (3.5, 0.875)
