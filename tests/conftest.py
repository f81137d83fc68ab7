"""What every test shares: how hypothesis behaves."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# A slow machine is no failure, and in CI the same commit always draws the same examples.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci" if os.environ.get("CI") else "default")
