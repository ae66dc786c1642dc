"""String from Python, with the standard library alone: commands, turns, approvals and events. Copy this file into your project."""

from __future__ import annotations

import difflib
import functools
import http.client
import inspect
import json
import os
import pathlib
import subprocess
import time
import urllib.parse
from typing import Any, Callable, Iterator, TypeVar

Event = tuple  # (name, data): ("result", {"ok": True, …})
F = TypeVar("F", bound=Callable[..., Any])

AGENTS = '`call("GET", "/agents")` has all agents, and `StringDaemon(agent=ID)` registers one'
# What to do about a refusal: its status, how its reason begins, the next step. The first row that fits counts.
REFUSALS = [
    (400, "Invalid topic", "A topic is NAME, file:NAME, web:NAME, app:NAME[:CONFIG] or bash:NAME, of letters, digits, _ and -"),
    (400, "Empty command", "Give the text of a command, such as /help"),
    (400, "", "Mend what the message names; every field is in docs/reference/http.md"),
    (401, "", AGENTS),
    (403, "", "Only the user whose daemon it is may ask; SECURITY.md says how to allow others"),
    (404, "Unknown agent", AGENTS),
    (404, "Unknown turn", '`call("GET", "/turns")` has the latest turns, with their whole ids'),
    (404, "Unknown approval", "`approvals()` has what waits for an answer"),
    (404, "", "docs/reference/http.md has every route; the daemon may be older than this file"),
    (409, "NO_PROFILE", "`string agent add ID --profile FILE` gives it one; `string bridge init NAME` writes one that works"),
    (409, "", "Look how it stands now before you ask again"),
    (413, "", "Send less: put it into a file, and give its path"),
    (429, "", "It did not run: try again in a few seconds, or use another topic or session"),
    (500, "", "`string logs` has the reason; please report it"),
    (503, "", "`string status` tells how its store is; try again in a while"),
    (504, "", "It did not run: try again, or end what runs there with `cancel(topic)`"),
    (507, "", "Make room on the disk, and try again"),
]


class Refused(Exception):
    """The daemon refused the request: `status` is that of HTTP, the text says why, `next` what to do."""

    def __init__(self, status: int, answer: dict[str, Any]) -> None:
        error = answer.get("error") or f"HTTP status {status}"
        super().__init__(answer.get("message") or error)
        self.status = status
        self.code = error if "message" in answer else None
        rows = (row[2] for row in REFUSALS if row[0] == status and error.startswith(row[1]))
        _advise(self, next(rows, "docs/errors.md has every status, and what to do about it"))


class Unreachable(ConnectionError):
    """There is no daemon, and none could be started: nothing was sent. `next` says what to do."""

    def __init__(self, reason: str, advice: str) -> None:
        super().__init__(reason)
        _advise(self, advice)


def _advise(error: Any, advice: str) -> None:
    error.next = advice
    if hasattr(error, "add_note"):  # Python 3.11 prints it below the error.
        error.add_note("next: " + advice)


def _named(function: F) -> F:
    """A keyword that there is not is told with the one that was meant."""
    names = [name for name in inspect.signature(function).parameters if name != "self"]

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        for name in options:
            if name not in names:
                near = difflib.get_close_matches(name, names, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(names)}"
                raise TypeError(f"{function.__name__}: unknown argument {name!r}; {hint}")
        return function(*args, **options)

    return call  # type: ignore[return-value]


class StringDaemon:
    """Speaks to the daemon of this user for one agent, which is registered when it is not known yet."""

    @_named
    def __init__(self, agent: str = "default") -> None:
        self.agent = agent
        self.port, self.key = self._find()
        self.call("POST", "/agents", {"agent_id": agent})

    @_named
    def exec(self, topic: str, cmd: str, cwd: str | None = None) -> dict[str, Any]:
        """Runs one command: a dict with ok, code, content, data. A command that failed is an answer, not an exception."""
        return self.call("POST", "/exec", {"topic": topic, "cmd": cmd, "cwd": cwd or os.getcwd()})

    @_named
    def cancel(self, topic: str) -> int:
        """Ends what runs in a topic, with everything that it started; its `exec` answers CANCELLED. How many were ended."""
        return self.call("POST", _path("sessions", self.agent, topic, "cancel"), {})["cancelled"]

    @_named
    def turn(
        self,
        message: str,
        agent: str | None = None,
        session: str | None = None,
        from_: str | None = None,
        attachments: list[dict[str, str]] | None = None,
        request_id: str | None = None,
    ) -> Iterator[Event]:
        """Gives an agent a message; yields (event, data) up to ("result", {...}). Leaving the loop does not cancel it."""
        body = {"message": message, "session": session, "from": from_, "attachments": attachments, "request_id": request_id}
        given = {name: value for name, value in body.items() if value is not None}
        return self._stream("POST", _path("agents", agent or self.agent, "turns"), given, last="result")

    @_named
    def cancel_turn(self, turn_id: str) -> dict[str, Any]:
        """Ends a turn, whose id its first event has as `turn_id`; one that is over stays as it is."""
        return self.call("DELETE", _path("turns", turn_id))

    @_named
    def approvals(self, state: str = "waiting") -> list[dict[str, Any]]:
        """What agents ask people: each has an id, agent_id, question and detail."""
        return self.call("GET", f"/approvals?state={state}")["approvals"]

    @_named
    def answer(self, approval_id: str, answer: str, note: str | None = None, by: str | None = None) -> dict[str, Any]:
        """Answers with "allow" or "deny": the approval as it is then. `Refused` with the status 409 where another was first."""
        return self.call("POST", _path("approvals", approval_id), {"answer": answer, "note": note, "by": by})

    @_named
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
        try:
            connection.connect()
        except OSError as error:
            reason = f"Nothing listens on port {self.port}: the daemon was stopped"
            raise Unreachable(reason, "`string start` starts it, and a new StringDaemon() finds it") from error
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        if response.status >= 300:
            with response:
                raise Refused(response.status, json.load(response))
        return response

    def _find(self) -> tuple[int, str]:
        """`string start` starts the daemon where none runs; its record says where it is and proves who we are."""
        program = os.environ.get("STRING", "string")
        try:
            started = subprocess.run([program, "start"], capture_output=True, text=True)
        except OSError as error:
            advice = "Install String (docs/install.md), or name its program in the variable STRING"
            raise Unreachable(f"Cannot run {program}: {error.strerror}", advice) from error
        if started.returncode != 0:
            raise Unreachable(started.stderr.strip(), "`string doctor` says what is wrong")
        home = pathlib.Path(os.environ.get("STRING_HOME") or pathlib.Path.home() / ".string")
        data = pathlib.Path(os.environ.get("STRING_DATA_DIR") or home / "daemon")
        record = json.loads((data / "daemon.json").read_text())
        return record["port"], record["key"]


def _path(*parts: str) -> str:
    return "".join("/" + urllib.parse.quote(part, safe="") for part in parts)
