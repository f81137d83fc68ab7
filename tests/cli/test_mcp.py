"""The server of the Model Context Protocol: its messages, its tools, and answers equal to those of the command line."""

import io
import json
import sys
from typing import Any

import pytest

from calculators.__main__ import main
from calculators.catalog import CALCULATORS
from calculators.cli import mcp
from calculators.page.machine import MACHINES


def call(name: str, **given: Any) -> dict[str, Any]:
    """What a tool answers."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": given}}
    response = mcp.respond(json.dumps(message))
    assert response is not None
    return response


def test_a_client_starts_lists_the_tools_and_calls_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}}},
        {"method": "notifications/initialized"},
        {"id": "two", "method": "tools/list"},
        {"id": 3, "method": "ping"},
    ]
    lines = [json.dumps({"jsonrpc": "2.0", **one}) for one in asked]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines) + "\n"))
    assert main(["mcp"]) == 0
    started, listed, pong = map(json.loads, capsys.readouterr().out.splitlines())
    assert started["result"]["protocolVersion"] == "2025-06-18"
    assert "tools" in started["result"]["capabilities"]
    assert listed["id"] == "two"
    tools = {one["name"]: one for one in listed["result"]["tools"]}
    assert tools.keys() == {*CALCULATORS, *MACHINES}
    assert tools["checkpoint"]["inputSchema"]["properties"]["parameters"]["x-unit"] == "parameter"
    assert pong["result"] == {}


@pytest.mark.parametrize(
    ("name", "given", "command"),
    [
        ("checkpoint", {"parameters": "405B"}, ["checkpoint", "--json", "--parameters=405B"]),
        ("kv_cache", {"sequences": 4}, ["kv_cache", "--json", "--sequences=4"]),
        ("machine_serving", {"gpus": 64}, ["machine", "--job=serve", "--json", "--gpus=64"]),
    ],
)
def test_a_tool_answers_with_the_bytes_of_the_command_line(
    name: str, given: dict[str, Any], command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = call(name, **given)["result"]
    assert not found["isError"]
    assert main(command) == 0
    assert found["content"][0]["text"] == capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "words"),
    [({"parametres": "405B"}, "did you mean --parameters"), ({"parameters": "-1"}, "must be between")],
)
def test_wrong_arguments_are_an_error_of_the_tool_in_a_sentence(given: dict[str, str], words: str) -> None:
    found = call("checkpoint", **given)["result"]
    assert found["isError"]
    assert words in found["content"][0]["text"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("nonsense", -32700),
        ("[1]", -32600),
        ('{"jsonrpc": "2.0", "id": 1, "method": "resources/list"}', -32601),
        ('{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "unknown"}}', -32602),
        ('{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "cost", "arguments": 3}}', -32602),
    ],
)
def test_what_is_no_request_gets_an_error_with_its_code(line: str, code: int) -> None:
    response = mcp.respond(line)
    assert response is not None
    assert response["error"]["code"] == code


def test_an_unknown_version_is_answered_with_the_newest() -> None:
    response = mcp.respond('{"id": 1, "method": "initialize", "params": {"protocolVersion": "1999"}}')
    assert response is not None
    assert response["result"]["protocolVersion"] == mcp.VERSIONS[0]
