"""String from Python, with the standard library alone: commands, turns and events. Copy this file into your project."""

from __future__ import annotations

import http.client
import json
import os
import pathlib
import subprocess
import time
from typing import Any, Iterator

Event = tuple  # (name, data): ("result", {"ok": True, …})


class Refused(Exception):
    """The daemon refused the request: `status` is that of HTTP, the text says why."""

    def __init__(self, status: int, answer: dict[str, Any]) -> None:
        super().__init__(answer.get("message") or answer.get("error") or f"HTTP status {status}")
        self.status = status
        self.code = answer.get("error") if "message" in answer else None


class StringDaemon:
    """Speaks to the daemon of this user for one agent, which is registered when it is not known yet."""

    def __init__(self, agent: str = "default") -> None:
        self.agent = agent
        self.port, self.key = self._find()
        self.call("POST", "/agents", {"agent_id": agent})

    def exec(self, topic: str, cmd: str, cwd: str | None = None) -> dict[str, Any]:
        """Runs one command: a dict with ok, code, content, data. A command that failed is an answer, not an exception."""
        return self.call("POST", "/exec", {"topic": topic, "cmd": cmd, "cwd": cwd or os.getcwd()})

    def cancel(self, topic: str) -> int:
        """Ends what runs in a topic, with everything that it started; its `exec` answers CANCELLED. How many were ended."""
        return self.call("POST", f"/sessions/{self.agent}/{topic}/cancel", {})["cancelled"]

    def cancel_turn(self, turn_id: str) -> dict[str, Any]:
        """Ends a turn, whose id its first event has as `turn_id`; one that is over stays as it is."""
        return self.call("DELETE", f"/turns/{turn_id}")

    def turn(self, message: str, agent: str | None = None, **options: Any) -> Iterator[Event]:
        """Gives an agent a message; yields (event, data) up to ("result", {...}). Leaving the loop does not cancel it."""
        path = f"/agents/{agent or self.agent}/turns"
        return self._stream("POST", path, {"message": message, **options}, last="result")

    def events(self, after: str | None = None) -> Iterator[Event]:
        """The agent's events as they come, each once; `after` is the id of the last one that was seen. Without an end: a stream
        that breaks, also with its daemon, is opened again where it broke."""
        place = {"id": after}
        while True:
            try:
                for event, data in self._stream("GET", "/events/stream", None, place=place):
                    if event in ("ready", "event"):
                        yield event, data
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(1)
            self.port, self.key = self._find()

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Any route of docs/reference/http.md that answers with JSON."""
        with self._send(method, path, body, {"Accept": "application/json"}) as response:
            return json.load(response)

    def _stream(self, method, path, body, place=None, last=None) -> Iterator[Event]:
        headers = {"Accept": "text/event-stream"}
        if place and place["id"]:
            headers["Last-Event-ID"] = place["id"]
        with self._send(method, path, body, headers) as response:
            event = None
            for line in response:
                name, _, value = line.decode("utf-8").rstrip("\n").partition(": ")
                if name == "id" and place is not None:
                    place["id"] = value
                elif name == "event":
                    event = value
                elif name == "data":
                    yield event, json.loads(value)
                    if event == last:
                        return

    def _send(self, method, path, body, headers) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        headers = {"X-Agent-Id": self.agent, "X-String-Key": self.key, **headers}
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        if response.status >= 300:
            with response:
                raise Refused(response.status, json.load(response))
        return response

    def _find(self) -> tuple[int, str]:
        """`string start` starts the daemon where none runs; its record says where it is and proves who we are."""
        subprocess.run([os.environ.get("STRING", "string"), "start"], check=True, capture_output=True)
        home = pathlib.Path(os.environ.get("STRING_HOME") or pathlib.Path.home() / ".string")
        data = pathlib.Path(os.environ.get("STRING_DATA_DIR") or home / "daemon")
        record = json.loads((data / "daemon.json").read_text())
        return record["port"], record["key"]
