"""The whole build on one command line: `python build.py [build | serve | check | archive]`.

The work is in the package `builder`; this file chooses the Python that has its dependencies and passes the options on.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"


def command_line() -> argparse.ArgumentParser:
    """Return what this program understands."""
    parser = argparse.ArgumentParser(prog="build.py", description="Build the site, or build it and then serve it.")
    parser.add_argument(
        "command",
        nargs="?",
        default="build",
        choices=("build", "serve", "check", "archive"),
        help="build: write the site (the default); serve: build, serve, rebuild on every save; "
        "check: see that a built site keeps its promises; archive: pack a built site into one file",
    )
    parser.add_argument("--site-dir", type=Path, default=ROOT / "site", help="where the site goes (default: site/)")
    parser.add_argument(
        "--site-url",
        default=os.environ.get("SITE_URL") or None,
        help="address the site will have, path included (default: the variable SITE_URL; works without)",
    )
    parser.add_argument(
        "--without-service-worker",
        action="store_true",
        help="for build: a site that needs a network; it also removes what an earlier release left in browsers",
    )
    parser.add_argument("--host", default="127.0.0.1", help="for serve: the address to listen on")
    parser.add_argument("--port", type=int, default=8000, help="for serve: the port to listen on")
    return parser


def use_own_python() -> None:
    """Start again with .venv's Python when this one lacks the dependencies."""
    if importlib.util.find_spec("mkdocs") and importlib.util.find_spec("jinja2"):
        return
    python = VENV / "bin" / "python"
    if Path(sys.prefix).resolve() == VENV or not python.exists():
        sys.exit("The dependencies are not installed. `make build` installs them and builds the site.")
    os.execv(python, [str(python), *sys.argv])


def main() -> None:
    """Do what the command line asks."""
    options = command_line().parse_args()
    use_own_python()
    # .venv holds Node where the system has none
    os.environ["PATH"] = f"{VENV / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"

    # Imported late, because the Python that started this file may lack what they need.
    if options.command == "serve":
        from builder.serving import serve  # noqa: PLC0415

        serve.serve(options.host, options.port, options.site_url, site_dir=options.site_dir)
        return
    from builder import pipeline  # noqa: PLC0415

    if options.command == "build":
        pipeline.build(options.site_dir, options.site_url, service_worker=not options.without_service_worker)
    elif options.command == "check":
        pipeline.check(options.site_dir)
    else:
        pipeline.archive(options.site_dir)


if __name__ == "__main__":
    main()
