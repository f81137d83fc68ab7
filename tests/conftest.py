"""What every test shares: how hypothesis behaves, and the site of someone who does not say where it will be."""

from __future__ import annotations

import datetime
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.built import built_once
from tooling.suite import MOMENT

# Prices age from this day: in this process, in builds that it starts, and in pages (browser/conftest.py).
for _name, _moment in MOMENT.items():
    os.environ.setdefault(_name, _moment)
DAY = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.UTC).date()

# A slow machine is no failure, and in CI the same commit always draws the same examples.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Half as many again as there are cores: tests often wait for a browser. Unknown where xdist is off."""
    return -(-(os.cpu_count() or 1) * 3 // 2)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(scope="session")
def homeless(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site built by someone who does not say where it will be: HOMELESS_DIR if given."""
    if ready := os.environ.get("HOMELESS_DIR"):
        return Path(ready).resolve()
    return built_once(tmp_path_factory, "homeless", "")
