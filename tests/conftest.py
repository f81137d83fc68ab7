"""What every test shares: whose day it is, how hypothesis behaves, and the site of someone without an address."""

from __future__ import annotations

import datetime
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import daily
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


def pytest_configure(config: pytest.Config) -> None:
    """Deal the tests before there are workers, which inherit the day; nothing is dealt where some are chosen."""
    if not hasattr(config, "workerinput"):
        chosen = config.option.keyword or config.args_source is pytest.Config.ArgsSource.ARGS
        os.environ["WHOLE"] = "1" if chosen or os.environ.get("EVERY") else ""
    daily.today()


def pytest_report_header() -> str:
    """Say which share it is."""
    return "daily tests: " + ("all" if daily.is_whole() else f"the share of DAY={daily.today()}; EVERY=1 runs all")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep today's share, and begin with what takes longest."""
    if not daily.is_whole():
        due = daily.dealt(items, lambda item: item.nodeid.partition("[")[0], _days_of)
        config.hook.pytest_deselected(items=list({*items} - {*due}))
        items[:] = due
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def _days_of(item: pytest.Item) -> int:
    """Over how many days the cases of its test are dealt."""
    marker = item.get_closest_marker("daily")
    return marker.args[0] if marker else 1


@pytest.fixture(scope="session")
def homeless(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site built by someone who does not say where it will be: HOMELESS_DIR if given."""
    if ready := os.environ.get("HOMELESS_DIR"):
        return Path(ready).resolve()
    return built_once(tmp_path_factory, "homeless", "")
