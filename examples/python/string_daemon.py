"""String from Python, with the standard library alone: commands, turns and events. Copy this file into your project."""

import http.client
import json
import os
import pathlib
import subprocess


class Refused(Exception):
    """The daemon refused the request: `status` is that of HTTP, the text says why."""

    def __init__(self, status, answer):
        super().__init__(answer.get("message") or answer.get("error") or f"HTTP status {status}")
        self.status = status
        self.code = answer.get("error") if "message" in answer else None


class StringDaemon:
    """Speaks to the daemon of this user for one agent, which is registered when it is not known yet."""

    def __init__(self, agent="default"):
        self.agent = agent
        self.port, self.key = self._find()
        self.call("POST", "/agents", {"agent_id": agent})

    def exec(self, topic, cmd, cwd=None):
        """Runs one command: a dict with ok, code, content, data. A command that failed is an answer, not an exception."""
        return self.call("POST", "/exec", {"topic": topic, "cmd": cmd, "cwd": cwd or os.getcwd()})

    def turn(self, message, agent=None, **options):
        """Gives an agent a message; yields (event, data) up to ("result", {...}). Leaving the loop does not cancel it."""
        path = f"/agents/{agent or self.agent}/turns"
        return self._stream("POST", path, {"message": message, **options}, last="result")

    def events(self, after=None):
        """The agent's events as they come; `after` is the id of the last one that was seen."""
        headers = {"Last-Event-ID": after} if after else {}
        for event, data in self._stream("GET", "/events/stream", None, headers=headers):
            if event in ("ready", "event"):
                yield event, data

    def call(self, method, path, body=None):
        """Any route of docs/reference/http.md that answers with JSON."""
        with self._send(method, path, body, {"Accept": "application/json"}) as response:
            return json.load(response)

    def _stream(self, method, path, body, headers=None, last=None):
        with self._send(method, path, body, {"Accept": "text/event-stream", **(headers or {})}) as response:
            event = None
            for line in response:
                name, _, value = line.decode("utf-8").rstrip("\n").partition(": ")
                if name == "event":
                    event = value
                elif name == "data":
                    yield event, json.loads(value)
                    if event == last:
                        return

    def _send(self, method, path, body, headers):
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

    def _find(self):
        """`string start` starts the daemon where none runs; its record says where it is and proves who we are."""
        subprocess.run([os.environ.get("STRING", "string"), "start"], check=True, capture_output=True)
        home = pathlib.Path(os.environ.get("STRING_HOME") or pathlib.Path.home() / ".string")
        data = pathlib.Path(os.environ.get("STRING_DATA_DIR") or home / "daemon")
        record = json.loads((data / "daemon.json").read_text())
        return record["port"], record["key"]
