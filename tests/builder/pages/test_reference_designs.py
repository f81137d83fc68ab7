"""The reference designs are states whose parts agree: ports with the store, nodes in reserve with those in the job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from builder.cache import Cache
from builder.pages.amounts import of_result
from builder.pages.render import Renderer

if TYPE_CHECKING:
    from pathlib import Path

GPUS_PER_NODE = 8


@pytest.fixture
def designs(tmp_path: Path) -> Any:
    renderer = Renderer(tmp_path, Cache())
    words = renderer._words("guide/reference-designs.md", root="../../")
    return renderer.pages.get_template("figures/designs.j2").make_module(words)


def test_the_storage_fabric_has_a_port_for_each_of_the_storage_systems_ports(designs: Any) -> None:
    for design in (designs.unit, designs.thousand):
        assert of_result("machine", "storage_ports", design).base == design["store_ports"]


def test_nodes_in_reserve_are_those_that_the_job_leaves(designs: Any) -> None:
    for design, run in ((designs.unit, designs.unit_run), (designs.thousand, designs.thousand_run)):
        assert run["gpus"] + GPUS_PER_NODE * run["spare_nodes"] == design["gpus"]
        assert of_result("machine", "spares_needed", run).base <= run["spare_nodes"]
