"""The calculators as tools of a Model Context Protocol server on standard input and output: `calculators mcp`.

One JSON-RPC 2.0 message a line, as the protocol's stdio transport has it (https://modelcontextprotocol.io). Each
calculator and each system is a tool; its arguments are its inputs and menus, its answer is what `--json` prints.
"""

import io
import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

from calculators import version
from calculators.catalog import CALCULATORS
from calculators.cli import calculator, machine
from calculators.cli.options import OptionParser
from calculators.cli.schema import schema
from calculators.machine.state import JOB, WORKLOADS
from calculators.page.machine import MACHINES

COMMAND = "mcp"
VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Versions of the protocol, newest first; all have these messages in common."""
_NOT_JSON, _NOT_A_REQUEST, _NO_METHOD, _WRONG_PARAMETERS = -32700, -32600, -32601, -32602


class _RefusedError(Exception):
    """A request that gets an error of JSON-RPC, with its code."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def main(arguments: Sequence[str]) -> int:
    """Answer every line of standard input until it ends; return the exit code."""
    OptionParser(
        prog=f"python -m calculators {COMMAND}",
        description="A server of the Model Context Protocol on standard input and output: each calculator is a tool",
    ).parse_args(arguments)
    for line in sys.stdin:
        if line.strip() and (response := respond(line)) is not None:
            sys.stdout.write(json.dumps(response, ensure_ascii=False) + "\n")
            sys.stdout.flush()
    return 0


def respond(line: str) -> dict[str, Any] | None:
    """Response to one message; None to a notification, which gets none."""
    try:
        message = json.loads(line)
    except ValueError:
        return _error(None, _NOT_JSON, "this line is not JSON")
    if not isinstance(message, dict) or not isinstance(message.get("method"), str):
        return _error(None, _NOT_A_REQUEST, "this is not a request: it has no method")
    if "id" not in message:
        return None
    given = message.get("params", {})
    try:
        found = _result(message["method"], given if isinstance(given, dict) else {})
    except _RefusedError as refused:
        return _error(message["id"], refused.code, str(refused))
    return {"jsonrpc": "2.0", "id": message["id"], "result": found}


def _error(request: Any, code: int, sentence: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request, "error": {"code": code, "message": sentence}}


def _result(method: str, given: Mapping[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        asked = given.get("protocolVersion")
        about = {"name": "infrastructure-for-ai", "version": version.VERSION}
        return {
            "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
            "capabilities": {"tools": {}},
            "serverInfo": about,
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": tools()}
    if method == "tools/call":
        return _called(str(given.get("name", "")), given.get("arguments") or {})
    message = f"there is no method “{method}”; there are initialize, ping, tools/list and tools/call"
    raise _RefusedError(_NO_METHOD, message)


def tools() -> list[dict[str, Any]]:
    """Every calculator and system with its question and the JSON Schema of its inputs."""
    known = {**CALCULATORS, **{name: make() for name, make in MACHINES.items()}}
    return [
        {"name": name, "title": one.title, "description": one.question, "inputSchema": _inputs(schema(one))}
        for name, one in known.items()
    ]


def _inputs(whole: Mapping[str, Any]) -> dict[str, Any]:
    return {key: whole[key] for key in ("type", "properties", "additionalProperties")}


def _called(name: str, given: Any) -> dict[str, Any]:
    """Response of a tool: the text that `--json` prints, or sentences on what was wrong."""
    if name not in CALCULATORS and name not in MACHINES:
        message = f"there is no tool “{name}”; tools/list lists them"
        raise _RefusedError(_WRONG_PARAMETERS, message)
    if not isinstance(given, dict):
        message = "the arguments must be an object: values by names of inputs"
        raise _RefusedError(_WRONG_PARAMETERS, message)
    options = ["--json", *(f"--{key.replace('_', '-')}={value}" for key, value in given.items())]
    printed, wrong = io.StringIO(), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(wrong):
        try:
            if name in CALCULATORS:
                code = calculator.run(CALCULATORS[name], options)
            else:
                job = [f"--{JOB}={WORKLOADS[name].kind.name}"] if name in WORKLOADS else []
                code = machine.main([*job, *options])
        except SystemExit as end:  # of argparse, for an option that does not exist
            code = int(end.code or 0)
    text = wrong.getvalue() if code else printed.getvalue()
    return {"content": [{"type": "text", "text": text}], "isError": bool(code)}
