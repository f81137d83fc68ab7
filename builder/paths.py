"""Where things live in the repository."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONTENT = ROOT / "content"
TEMPLATES = ROOT / "templates"
CACHE = Path(os.environ.get("BUILD_CACHE") or ROOT / ".cache")  # what one build keeps for the next
NODE_MODULES = ROOT / "node_modules"
