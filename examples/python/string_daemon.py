"""String from Python, with the standard library alone: commands, agents and their turns, approvals, events. Copy this file into your
project. docs/python.md has every call."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import contextlib
import difflib
import functools
import heapq
import http.client
import inspect
import json
import os
import pathlib
import re
import select
import socket
import subprocess
import threading
import time
import urllib.parse
from datetime import datetime, timezone
from typing import Any, Callable, Dict, Iterator, Literal, Mapping, Sequence, Tuple, TypedDict, TypeVar

__version__ = "0.1.0"

Event = Tuple[str, Dict[str, Any]]  # (name, data): ("result", {"ok": True, …})
F = TypeVar("F", bound=Callable[..., Any])

ACCEPT_JSON = {"Accept": "application/json"}
# The answer of a command of which nobody saw the end.
BROKEN_OFF: dict[str, Any] = {
    "ok": False,
    "code": "STREAM_INCOMPLETE",
    "content": "ERROR(STREAM_INCOMPLETE): The daemon went away, or hangs, before the answer was complete; the command may have run\n"
    "  Look what became of it before you run it again; `string restart` replaces a daemon that hangs",
    "data": None,
}
REOPEN_SECS = 60  # How long a daemon that went away in the middle of a turn is looked for.
TURNS_MOST = 200  # So many are listed at once.
SILENT_SECS = 22.5  # Every stream says something each 15 s: one that does not is that of a daemon that hangs.
OVERDUE_SECS = 1  # An answer that is due is waited for so long, also when the time of `run` is over.
STOP_SECS = 10  # The same of the end of a command, which may not heed the first signal.
SHELL_ENDED = "(the shell has ended; the next input starts a fresh one)"
WHOLE_BYTES = 64 << 20  # So much of an output is kept in its file.
RUN_CHARS = 1_048_576  # How much of the output of `run` is handed back.
# A busy daemon says sooner how it is.
ANSWER_SECS = 10
SOON_SECS = 1  # Whoever takes no longer is not asked whether they are there.
UNKNOWN_AGENT = "Unknown agent: "
AGENTS = "`agents()` has all agents; `register(agent_id)` makes one, as does `StringDaemon(agent_id, create=True)`"
# What to do about a refusal: its status, how it begins, the next step, and what it or its message says further on. The first row that fits
# counts.
REFUSALS: list[tuple[int, str, str] | tuple[int, str, str, str]] = [
    (400, "Invalid topic", "A topic is NAME, file:NAME, web:NAME, app:NAME[:CONFIG] or bash:NAME, of letters, digits, _ and -"),
    (400, "Empty command", "Give the text of a command, such as /help"),
    (400, "Cannot create home", "Name a `home` that can be made, or leave it out"),
    (400, '"since"', "Give a datetime, such as `datetime.now() - timedelta(days=1)`, or a time in UTC"),
    (400, '"message"', "Give the message some text, or an attachment"),
    (400, '"', "Give one of those; nothing was done", " is one of "),
    (400, '"', "Give a whole number of that range; nothing was done", " is a number from "),
    (400, '"', "Nothing was done: the message says what that takes"),
    (400, "There is no file", "Name a profile that is there; `string bridge init NAME` writes one that works"),
    (400, "/", "`string bridge check FILE` tells the same of the profile, while you mend it"),
    (400, "", "Nothing was done: docs/reference/http.md has every field of a request, and what it takes"),
    (401, "", AGENTS),
    (403, "", "Only the user whose daemon it is may ask; SECURITY.md says how to allow others"),
    (404, "Unknown agent", AGENTS),
    (404, "Unknown turn", "`turns()` has the latest turns, with their whole ids"),
    (404, "Unknown event", "`inbox()` has the events"),
    (404, "Unknown approval", "`approvals()` has what waits for an answer"),
    (404, "Unknown delivery", "`outbox()` has the messages"),
    (404, "", "docs/reference/http.md has every route; the daemon may be older than this file"),
    (409, "NO_PROFILE", "`register(agent_id, profile=FILE)` gives it one; `string bridge init NAME` writes one that works"),
    (409, "ANSWERED", "`approvals(state=None)` has the answer that counts, and whose it is"),
    (409, "CONFLICT", "`outbox()` has the state of the delivery; only one that failed can be tried again", "nothing is to be tried again"),
    (409, "CONFLICT", "Give another message another `request_id`; the same message with the same one is answered with its turn"),
    (409, "BUSY", "Try again when its turn is over, or in another session"),
    (409, "", "Ask the daemon of the node that the message names; `get_agent(agent_id)` tells where the agent lives"),
    (413, "", "Send less: put it into a file and give its path; a file is copied with cp, or written in parts with /append"),
    (429, "LIMIT_REACHED", "Try again after `retry_after` seconds, or raise `limits` in the profile of the agent"),
    (429, "QUEUE_FULL", "Try again after `retry_after` seconds, or in another session; `cancel_turn(turn_id)` ends the turn that runs", "session"),
    (429, "", "Try again after `retry_after` seconds, use another topic or session, or end what runs there with `cancel(topic)`"),
    (500, "", "`string logs` has the reason; please report it"),
    (503, "", "`string status` tells how its store is; try again in a while"),
    (504, "", "Try again, end what runs there with `cancel(topic)`, or use another topic"),
    (507, "", "Make room on the disk, and try again"),
]


# It did not run, and may be another answer later.
QUEUE_CODES = ("QUEUE_FULL", "QUEUE_TIMEOUT", "BUSY", "LIMIT_REACHED")


class StringError(Exception):
    """What went wrong on the way to the daemon: `code` for programs, the text says why, `next` what to do."""

    def __init__(self, code: str, reason: str, advice: str) -> None:
        super().__init__(reason)
        self.code = code
        self.next = advice
        if hasattr(self, "add_note"):  # Python 3.11 prints it below the error.
            self.add_note("next: " + advice)


class Refused(StringError):
    """The daemon refused the request, as a `QueueError` or an `HttpError`: `status` is that of HTTP, `retry_after` in how many
    seconds trying again makes sense, where the daemon says that."""

    def __init__(self, status: int, answer: dict[str, Any], retry_after: int | None = None, meant: str = "") -> None:
        error = answer.get("error") or f"HTTP status {status}"
        message = answer.get("message") or ""
        said = f"{error} {message}"
        rows = (row[2] for row in REFUSALS if row[0] == status and said.startswith(row[1]) and str((*row, "")[3]) in said)
        advice = next(rows, "docs/errors.md has every status, and what to do about it")
        super().__init__(error if "message" in answer else f"HTTP_{status}", message or error, meant + advice)
        self.status = status
        self.retry_after = retry_after


class QueueError(Refused):
    """Not now: too much waits, it waited too long, the agent works, or a cap on its turns is reached. It did not run: trying again
    is safe."""


class HttpError(Refused):
    """Any other refusal: repeating it gets the same answer. `unknown_agent` is the agent, where the reason is that there is none."""

    @property
    def unknown_agent(self) -> str | None:
        return str(self)[len(UNKNOWN_AGENT) :] if str(self).startswith(UNKNOWN_AGENT) else None


class Unreachable(StringError, ConnectionError):
    """There is no daemon, and none could be started: nothing was sent."""

    def __init__(self, reason: str, advice: str) -> None:
        super().__init__("UNREACHABLE", reason, advice)


class Incomplete(StringError, ConnectionError):
    """The connection broke before the answer was whole: what was asked for may have been done. `turn_id` is the turn that was begun,
    where that is known."""

    def __init__(self, reason: str, turn_id: str | None = None) -> None:
        advice = "Look what became of it before you repeat it; a turn with a `request_id` can be repeated. `string restart` replaces a daemon that hangs"
        super().__init__("STREAM_INCOMPLETE", reason, advice)
        self.turn_id = turn_id


class RunTimeout(TimeoutError):
    """The time of `run` is over: `output` is what the command had printed until then. With `hangs` nobody knows whether it was ended."""

    def __init__(self, reason: str, output: str, hangs: bool = False) -> None:
        super().__init__(reason)
        self.output = output
        self.hangs = hangs


class ForeignDaemon(StringError):
    """What listens on the port is no stringd: its answer is no HTTP, or no JSON."""

    def __init__(self, port: int) -> None:
        advice = "`string status` tells where your daemon is; make a new StringDaemon"
        super().__init__("FOREIGN_DAEMON", f"What listens on port {port} is not stringd", advice)


def _is_number(value: Any, most: float) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= most


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_path(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, os.PathLike) and isinstance(os.fspath(value), str))


def _is_time(value: Any) -> bool:
    return isinstance(value, datetime) or (isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d", value) is not None)


def _is_list(value: Any, is_one: Callable[[Any], bool]) -> bool:
    return isinstance(value, (list, tuple)) and all(map(is_one, value))


# One is that of `exec`, the other that of `run`.
SAME = ("cmd", "command")

# What an argument may be, by its annotation, and that in words: one that is missing here keeps this file from being loaded.
KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "str": (lambda value: isinstance(value, str), "a string"),
    "bool": (lambda value: isinstance(value, bool), "True or False"),
    "int": (_is_whole, "a whole number"),
    "str | os.PathLike[str]": (_is_path, "a path"),
    "list[str] | list[pathlib.Path]": (lambda value: _is_list(value, _is_path), "a list of paths"),
    "Sequence[Mapping[str, Any]]": (lambda value: _is_list(value, lambda each: isinstance(each, dict)), "a list of dicts"),
    "dict[str, Any]": (lambda value: isinstance(value, dict), "a dict"),
    "datetime | str": (_is_time, "a datetime, or a time as text, such as 2026-03-19T05:30:00Z"),
    "threading.Event": (lambda value: isinstance(value, threading.Event), "a threading.Event"),
    "Callable[[str], Any]": (callable, "a function"),
}


def _words(*words: str) -> tuple[Callable[[Any], bool], str]:
    return (lambda value: value in words), "one of " + ", ".join(words)


# The same of those that are more than their annotation says, by their names, where needed those of one call alone.
NAMED_KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "timeout": (lambda value: _is_number(value, 604_800), "a number of seconds above 0, at most 604800 (a week)"),
    "wait_ms": (lambda value: _is_whole(value) and 0 < value <= 30_000, "a whole number of milliseconds, 1 to 30000"),
    "method": (lambda value: value in ("GET", "POST", "DELETE"), "GET, POST or DELETE"),
    "path": (lambda value: isinstance(value, str) and re.match("/[!-~]*$", value) is not None, "a route that begins with /, such as /health"),
    "after": (
        lambda value: isinstance(value, str) and re.fullmatch("evt_[0-9a-z]{26}", value) is not None,
        "the id of an event, evt_ and 26 characters (`inbox()` has them)",
    ),
    "limit": (lambda value: _is_whole(value) and value > 0, "a whole number from 1"),
    "by of usage": _words("agent", "session", "day"),
    "answer": _words("allow", "deny"),
    "state of turns": _words("queued", "running", "waiting", "done", "failed", "cancelled", "interrupted"),
    "state of approvals": _words("waiting", "allowed", "denied", "expired", "withdrawn"),
    "state of inbox": _words("pending", "acked"),
    "state of outbox": _words("trying", "waiting", "sent", "failed"),
}


def _kinds(signature: inspect.Signature, called: str) -> dict[str, tuple[Callable[[Any], bool], str, bool]]:
    """Of each argument what it may be, that in words, and whether it may be None."""
    kinds = {}
    for name, parameter in signature.parameters.items():
        if name != "self":
            kind, optional, _ = parameter.annotation.partition(" | None")
            named = NAMED_KINDS.get(f"{name} of {called}") or NAMED_KINDS.get(name)
            kinds[name] = (*(named or KINDS[kind]), optional != "")
    return kinds


def _without_frames(stream: Iterator[Any]) -> Iterator[Any]:
    """As a call: what is raised points at the loop, and not into this file."""
    try:
        yield from stream
    except StringError as error:
        raise error.with_traceback(None) from None


def _named(function: F) -> F:
    """What is called by a name that there is not, left out, or another thing than it may be, is told before anything is sent."""
    signature = inspect.signature(function)
    kinds = _kinds(signature, function.__name__)
    names = list(kinds)
    called = "StringDaemon" if function.__name__ == "__init__" else function.__name__
    usage = f"{called}({', '.join(names)})"

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        for name in options:
            if name not in names:
                near = [each for each in names if name in SAME and each in SAME] or difflib.get_close_matches(name, names, 1)
                hint = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(names)}"
                raise TypeError(f"{called}: unknown argument {name!r}; {hint}")
        topic = options.get("topic") or (args[1] if len(args) > 1 and names[:1] == ["topic"] else "")
        if isinstance(topic, str) and topic.startswith("/"):
            raise TypeError(f"{usage}: {topic!r} is a command, and the topic comes first: {called}('main', {topic!r})")
        try:
            given = signature.bind(*args, **options).arguments
        except TypeError as error:
            raise TypeError(f"{usage}: {error}") from None
        for name, (is_one, what, is_optional) in kinds.items():
            value = given.get(name)
            if name in given and not (value is None and is_optional) and not is_one(value):
                near = difflib.get_close_matches(str(value), what[len("one of ") :].split(", "), 1) if what.startswith("one of ") else []
                meant = f"; did you mean {near[0]!r}?" if near else ""
                raise TypeError(f"{usage}: {name} must be {what}, not {value!r}{meant}")
        try:
            said = function(*args, **options)
            return _without_frames(said) if inspect.isgenerator(said) else said
        except StringError as error:
            # What stands in this file helps nobody who called it: the text says why.
            raise error.with_traceback(None) from None

    return call  # type: ignore[return-value]


class StringDaemon:
    """Speaks to the daemon of this user for one agent. One that there is not may be misspelt, and is refused: `create=True` makes
    it, as does `register`. The agent `default` is always made."""

    @_named
    def __init__(self, agent: str = "default", create: bool | None = None) -> None:
        self.agent = agent
        self._pid = 0
        self.port, self.key = self._find()
        if agent == "default" if create is None else create:
            self.register(agent)
        else:
            self._check_agent()

    # Commands

    @_named
    def exec(
        self,
        topic: str,
        cmd: str,
        cwd: str | os.PathLike[str] | None = None,
        wait_ms: int | None = None,
        timeout: float | None = None,
        seen: str | None = None,
        at_prompt: bool | None = None,
    ) -> ExecAnswer:
        """Runs one command: a dict with ok, code, content, data. A command that failed is an answer, not an exception. It is one request:
        in a bash topic what takes longer than `wait_ms` (30,000) is answered with `running` true in its data, and goes on (`run` waits
        for its end); `/exec` is ended after 120 s. Ctrl-C ends the command, and so does `timeout`, in seconds: a TimeoutError."""
        body = _given(topic=topic, cmd=cmd, cwd=_absolute(cwd or "."), wait_ms=wait_ms, seen=seen, at_prompt=at_prompt)
        answer = self._call("POST", "/exec", {**body, "cancel_on_leave": True}, timeout, f"exec: {cmd!r}")
        if answer["code"] == "INVALID_PATH" and answer["data"] is not None:
            answer["outside"], answer["data"] = answer["data"].get("outside"), None
        return answer

    @_named
    def run(
        self,
        topic: str,
        command: str,
        cwd: str | os.PathLike[str] | None = None,
        timeout: float | None = None,
        goes_on: bool = False,
        on_output: Callable[[str], Any] | None = None,
    ) -> RunAnswer:
        """Runs a command in the shell of a topic bash:NAME and waits for its end, however long that takes: a dict with ok, code, exit,
        cwd, output, truncated, whole, content. Nothing is typed into what still runs: that is the code BUSY. Ctrl-C and `timeout` (in
        seconds, a RunTimeout, which has the `output`) end the command; with `goes_on` they end the waiting alone."""
        if not topic.startswith("bash:"):
            raise TypeError(f"run(topic, command): {topic!r} has no shell; name a topic bash:NAME")
        if not command.strip():
            raise TypeError("run(topic, command): command must be a shell command, not empty")
        if command.startswith("//"):
            raise TypeError(f"run(topic, command): {command!r} is no shell command: exec(topic, command) runs it")
        until = None if timeout is None else time.monotonic() + timeout
        reading = _Reading(on_output)
        # Whoever looks at what they typed at the prompt takes it with them when they leave.
        mine = {"topic": topic, "at_prompt": True, "cancel_on_leave": not goes_on}
        soon = 500 if on_output is None else 30  # Only a look is answered with the first that is printed.
        first = {"cmd": command, "cwd": _absolute(cwd or "."), "wait_ms": _wait_ms(until, soon), "seen": reading.seen}
        try:
            answer = self._call("POST", "/exec", {**mine, **first}, _patience(until))
        except Incomplete:
            answer = BROKEN_OFF
        except TimeoutError:
            reason = f"run: {command!r} took longer than {timeout} s, and was not answered: it may go on"
            raise RunTimeout(reason, "", True) from None
        last = reading.take(answer)
        attending = None if goes_on or last is None or not last["running"] else self._attend(topic)
        try:
            while last is not None and (last["running"] or last.get("more")):
                if until is not None and last["running"] and time.monotonic() >= until:
                    raise RunTimeout(f"run: {command!r} took longer than {timeout} s", reading.result()[0])
                look = {"cmd": "//wait 30", "wait_ms": _wait_ms(until, 30_000), "seen": reading.seen}
                answer = self._look({**mine, **look}, reading, _Deadline(_patience(until, OVERDUE_SECS)))
                said = reading.take(answer)
                if said is None and not last["running"]:  # A shell that has ended tells the rest of its output no more.
                    reading.is_cut = True
                    answer = {**answer, "ok": last["exit"] == 0, "code": None if last["exit"] == 0 else f"EXIT_{last['exit']}"}
                    break
                if said is None and answer["code"] == "NOT_FOUND":  # It went with its daemon.
                    answer = BROKEN_OFF
                last = said
            if _says_exit(command) and answer["content"].endswith(SHELL_ENDED):
                reading.drop_exit()
            reading.tell()
        except BaseException as error:
            # One that does not answer ends it when it sees that nobody waits.
            if last is not None and last["running"] and not goes_on and not getattr(error, "hangs", False):
                with contextlib.suppress(StringError, TimeoutError):
                    self._call("POST", _path("sessions", self.agent, topic, "cancel"), {}, STOP_SECS)
            raise
        finally:
            if attending is not None:
                attending.close()
        output, truncated, whole = reading.result()
        ok, code, content = answer["ok"], answer["code"], answer["content"]
        end, folder = (None, None) if last is None else (last["exit"], last["cwd"])
        return {
            "ok": ok,
            "code": code,
            "exit": end,
            "cwd": folder,
            "output": output,
            "truncated": truncated,
            "whole": whole,
            "content": content,
        }

    def _attend(self, topic: str) -> http.client.HTTPConnection | None:
        """A connection whose end is also that of what runs in the topic: a program that dies between two looks is seen to leave."""
        with contextlib.suppress(StringError):
            return self._ask("POST", _path("sessions", self.agent, topic, "attend"), None, ACCEPT_JSON, may_start=False)
        return None

    def _look(self, body: dict[str, Any], reading: _Reading, deadline: _Deadline) -> dict[str, Any]:
        """Asks for more, and hands over what is there while it waits: a program that dies meanwhile is seen to leave. That nobody is
        there any more says nothing of what became of the command."""
        try:
            asked = self._ask("POST", "/exec", body, ACCEPT_JSON, may_start=False, deadline=deadline)
        except (Incomplete, Unreachable):
            reading.tell()
            return BROKEN_OFF
        try:
            reading.tell()
            try:
                with deadline:
                    return self._answer(asked, "POST", "/exec")
            except Incomplete:
                if deadline.is_over:
                    reason = "run: its time is over, and the daemon does not answer: the command may go on"
                    raise RunTimeout(reason, reading.result()[0], True) from None
                return BROKEN_OFF
        finally:
            asked.close()

    @_named
    def cancel(self, topic: str) -> int:
        """Ends what runs in a topic, with everything that it started; its `exec` answers CANCELLED. How many were ended."""
        return self.call("POST", _path("sessions", self.agent, topic, "cancel"), {})["cancelled"]

    @_named
    def chanflow(self, text: str, cwd: str | os.PathLike[str] | None = None) -> ChanFlowReply:
        """Runs the blocks of a text that a model wrote: a dict with text (the replies), rest (what is no block) and blocks."""
        return self.call("POST", "/chanflow", {"text": text, "cwd": _absolute(cwd or "."), "cancel_on_leave": True})

    # Agents

    @_named
    def agents(self) -> list[AgentRow]:
        """All agents, each with what it does now."""
        return self.call("GET", "/agents")["agents"]

    @_named
    def get_agent(self, agent_id: str) -> AgentActivity:
        """One agent, what it does now, and why it cannot take a turn, if so."""
        return self.call("GET", _path("agents", agent_id))

    @_named
    def register(
        self,
        agent_id: str,
        home: str | os.PathLike[str] | None = None,
        allowed_paths: list[str] | list[pathlib.Path] | None = None,
        profile: str | os.PathLike[str] | None = None,
    ) -> AgentRegistered:
        """Makes an agent, or changes the fields that are given: a dict with `created`, and `warnings` where there are any."""
        paths = {"home": home and _absolute(home), "profile": profile and _absolute(profile)}
        allowed = allowed_paths and [_absolute(path) for path in allowed_paths]
        return self.call("POST", "/agents", _given(agent_id=agent_id, allowed_paths=allowed, **paths))

    @_named
    def remove(self, agent_id: str) -> bool:
        """Whether there was one."""
        return self.call("DELETE", _path("agents", agent_id))["deleted"]

    @_named
    def pause(self, agent_id: str) -> AgentStanding:
        """No event wakes it from now on; `resume` undoes it."""
        return self.call("POST", _path("agents", agent_id, "pause"))

    @_named
    def resume(self, agent_id: str) -> AgentStanding:
        return self.call("POST", _path("agents", agent_id, "resume"))

    # Turns

    @_named
    def turn(
        self,
        message: str,
        agent: str | None = None,
        session: str | None = None,
        from_: str | None = None,
        attachments: Sequence[Mapping[str, Any]] | None = None,
        request_id: str | None = None,
        stop: threading.Event | None = None,
    ) -> Iterator[Event]:
        """Gives an agent a message; yields (event, data) up to ("result", {...}), also over a restart of the daemon. The message is
        sent by the first step of the loop, and once. Leaving the loop does not cancel it, nor does `stop`, which ends the loop."""
        body = _given(message=message, session=session, attachments=attachments, request_id=request_id, **{"from": from_})
        return self._follow(_path("agents", agent or self.agent, "turns"), body, None, stop)

    @_named
    def follow_turn(self, turn_id: str, stop: threading.Event | None = None) -> Iterator[Event]:
        """What `turn` gives, of a turn that exists, from its beginning."""
        return self._follow("", None, turn_id, stop)

    @_named
    def turns(
        self,
        agent: str | None = None,
        session: str | None = None,
        state: str | None = None,
        since: datetime | str | None = None,
        limit: int | None = None,
        before: str | None = None,
    ) -> list[TurnSummary]:
        """The latest turns, newest first, of all agents or of one: 50, or up to 200 by `limit`; `before` is the id of the last one of
        the part before."""
        wanted = {"agent_id": agent, "session": session, "state": state, "since": _time(since), "limit": limit, "before": before}
        return self.call("GET", _query("/turns", **wanted))["turns"]

    @_named
    def failures(self, agent: str | None = None, since: datetime | str | None = None) -> Iterator[TurnSummary]:
        """All turns that failed, or were cut off with their daemon, newest first, of all agents or of one."""
        lists = [self._all_turns(agent, since, state) for state in ("failed", "interrupted")]
        yield from heapq.merge(*lists, key=lambda turn: turn["turn_id"], reverse=True)

    def _all_turns(self, agent: str | None, since: datetime | str | None, state: str) -> Iterator[TurnSummary]:
        before = None
        while True:
            part = self.turns(agent=agent, state=state, since=since, limit=TURNS_MOST, before=before)
            yield from part
            if len(part) < TURNS_MOST:
                return
            before = part[-1]["turn_id"]

    @_named
    def get_turn(self, turn_id: str) -> TurnView:
        """One turn, with its steps, its text so far and the end of its standard error (`stderr`)."""
        return self.call("GET", _path("turns", turn_id))

    @_named
    def cancel_turn(self, turn_id: str) -> TurnView:
        """Ends a turn, whose id its first event has as `turn_id`; one that is over stays as it is."""
        return self.call("DELETE", _path("turns", turn_id))

    @_named
    def retry_turn(self, turn_id: str) -> TurnView:
        """Runs a turn again that is over, one that succeeded, too; that of a message becomes a new turn, which is the answer."""
        return self.call("POST", _path("turns", turn_id, "retry"))

    @_named
    def usage(self, by: str = "agent", since: datetime | str | None = None) -> list[UsageView]:
        """What turns have cost, by "agent", "session" or "day"."""
        return self.call("GET", _query("/usage", by=by, since=_time(since)))["usage"]

    # Questions of agents to people

    @_named
    def approvals(self, state: str | None = "waiting", agent: str | None = None, turn: str | None = None) -> list[ApprovalView]:
        """What agents ask people: each has an id, agent_id, question and detail."""
        return self.call("GET", _query("/approvals", state=state, agent_id=agent, turn_id=turn))["approvals"]

    @_named
    def answer(self, approval_id: str, answer: str, note: str | None = None, by: str | None = None) -> ApprovalAnswer:
        """Answers with "allow" or "deny": a dict with `is_first`, the `approval` as it is then, and `message`, which says who was first
        where another was."""
        try:
            approval = self.call("POST", _path("approvals", approval_id), _given(answer=answer, note=note, by=by))
            return {"is_first": True, "approval": approval, "message": None}
        except HttpError as late:
            if late.code != "ANSWERED":
                raise
            return {"is_first": False, "approval": self.call("GET", _path("approvals", approval_id)), "message": str(late)}

    # Events

    @_named
    def webhook(self, rotate: bool = False) -> str:
        """The URL to which programs post events for this agent; with `rotate` a new one, and the old one is refused."""
        return self.call("POST" if rotate else "GET", _path("agents", self.agent, "webhook"))["webhook_url"]

    @_named
    def events(self, after: str | None = None, stop: threading.Event | None = None) -> Iterator[Event]:
        """The agent's events as they come, each once; `after` is the id of the last one that was seen. Until `stop` is set: a stream
        that breaks, also with its daemon, is opened again where it broke, and ("lost", {"reason"}) says so."""
        return self._events({"id": after}, stop)

    def _events(self, place: dict[str, str | None], stop: threading.Event | None) -> Iterator[Event]:
        was_there, is_lost = False, False
        while not _is_set(stop):
            reason = "stringd ended the stream"
            try:
                for event, data in self._stream("GET", "/events/stream", None, place, not was_there, stop):
                    was_there, is_lost = True, False
                    if event in ("ready", "event"):
                        yield event, data
            except (OSError, http.client.HTTPException) as error:
                if not was_there and not _is_set(stop):
                    raise
                reason = str(error)
            if _is_set(stop):
                return
            if not is_lost:
                yield "lost", {"reason": reason}
            is_lost = True
            _pause(1, stop)
            self._look_again()

    @_named
    def inbox(
        self,
        agent: str | None = None,
        state: str | None = None,
        limit: int | None = None,
        before: str | None = None,
    ) -> list[InboxItem]:
        """Events, newest first, of all agents or of one, and which turn each became; `state` is "pending" or "acked"."""
        return self.call("GET", _query("/events", agent_id=agent, state=state, limit=limit, before=before))["events"]

    @_named
    def ack(self, event_id: str) -> InboxItem:
        """The event is dealt with."""
        return self.call("POST", _path("events", event_id, "ack"))

    @_named
    def retry_event(self, event_id: str) -> InboxItem:
        """Gives the event to its agent once more."""
        return self.call("POST", _path("events", event_id, "retry"))

    @_named
    def outbox(
        self,
        agent: str | None = None,
        state: str | None = None,
        limit: int | None = None,
        before: str | None = None,
    ) -> list[DeliveryView]:
        """Messages of agents to other channels, newest first, and what became of each."""
        return self.call("GET", _query("/deliveries", agent_id=agent, state=state, limit=limit, before=before))["deliveries"]

    # The daemon

    @_named
    def health(self) -> Health:
        """Its version, and how its store is."""
        return self.call("GET", "/health")

    @_named
    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Any route of docs/reference/http.md that answers with JSON."""
        return self._call(method, path, body)

    def _call(self, method: str, path: str, body: dict[str, Any] | None, timeout: float | None = None, called: str = "") -> Any:
        deadline = _Deadline(timeout)
        try:
            with deadline:
                return self._answer(self._ask(method, path, body, ACCEPT_JSON, deadline=deadline), method, path)
        except OSError:
            if deadline.is_over:
                raise TimeoutError(f"{called or path} took longer than {timeout} s, and was left: a daemon that answers ends it") from None
            raise

    def _answer(self, asked: http.client.HTTPConnection, method: str, path: str) -> Any:
        """What a request is answered with, as JSON."""
        watch = _Watch(asked.sock, lambda: self._hear(self.port))
        try:
            with self._response(asked, method, path, watch) as response:
                if response.length is None:  # It comes as it is made.
                    watch.begin()
                return self._parsed(response.read())
        except StringError:
            raise
        except (OSError, http.client.HTTPException) as error:
            raise watch.lost(method, path) or Incomplete(f"stringd broke off its answer to {method} {path}") from error
        finally:
            watch.end()
            asked.close()

    def _follow(self, path: str, body: dict[str, Any] | None, turn_id: str | None, stop: threading.Event | None) -> Iterator[Event]:
        """A stream that breaks once the turn has a name is opened again, and says nothing twice."""
        heard = {"units": 0, "step": 0, "position": 0, "started": False}
        approvals: dict[str, str] = {}
        lost_at = None
        while not _is_set(stop):
            try:
                again = _query(_path("turns", turn_id, "stream"), **{"from": heard["units"] or None}) if turn_id else None
                asks = ("GET", again, None) if again else ("POST", path, body)
                for event, data in self._stream(*asks, may_start=not again, stop=stop):
                    lost_at = None
                    turn_id = data.get("turn_id", turn_id)
                    if not _is_new(event, data, heard, approvals):
                        continue
                    if event == "result" and data["code"] == "CANCELLED":
                        data["next"] = f"`retry_turn({turn_id!r})` runs it again"
                    elif event == "result" and not data["ok"]:
                        data["next"] = f"`get_turn({turn_id!r})` has what its program wrote to standard error (`stderr`), its steps and tries"
                    yield event, data
                    if event == "result":
                        return
                raise Incomplete("The stream broke off")
            except (OSError, http.client.HTTPException, Refused) as error:
                if _is_set(stop):
                    return
                if turn_id is None or (isinstance(error, Refused) and error.status != 503):
                    raise
                if lost_at is None:
                    lost_at = time.monotonic()
                    yield "lost", {"reason": str(error)}
                if time.monotonic() - lost_at > REOPEN_SECS:
                    raise Incomplete(f"stringd is away, and with it turn {turn_id}; `get_turn` tells what became of it", turn_id) from error
            _pause(0.2, stop)
            self._look_again()

    def _stream(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None,
        place: dict[str, str | None] | None = None,
        may_start: bool = True,
        stop: threading.Event | None = None,
    ) -> Iterator[Tuple[Any, Any]]:
        headers = {"Accept": "text/event-stream"}
        if place and place["id"]:
            headers["Last-Event-ID"] = place["id"]
        asked = self._ask(method, path, body, headers, may_start)
        connection = asked.sock
        try:
            with _stopped_by(stop, connection), self._response(asked, method, path) as response:
                if response.headers.get_content_type() != "text/event-stream":
                    raise ForeignDaemon(self.port)
                event = None
                for line in _lines(connection, response):
                    name, _, value = line.decode("utf-8").rstrip("\n").partition(": ")
                    if name == "id" and place is not None:
                        place["id"] = value
                    elif name == "event":
                        event = value
                    elif name == "data":
                        yield event, json.loads(value)
        finally:
            asked.close()

    def _connect(self, may_start: bool) -> http.client.HTTPConnection:
        """A daemon that went away is started again, as the first one was; nothing was sent then, least of all to whoever has its port."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        try:
            if not self._is_there():
                raise ConnectionRefusedError("Its process has ended")
            connection.port = self.port
            connection.connect()
            is_told = select.select([connection.sock], [], [], 0)[0] != []
            if is_told and connection.sock.recv(1, socket.MSG_PEEK) == b"":  # One that dies takes connections, and closes them.
                connection.close()
                raise ConnectionResetError("It closed the connection")
            return connection
        except OSError as error:
            if not may_start:
                raise Unreachable(f"Nothing listens on port {self.port}: no daemon runs", "`string start` starts it") from error
        self.port, self.key = self._find()
        return self._connect(False)

    def _ask(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None,
        headers: dict[str, str],
        may_start: bool = True,
        deadline: _Deadline | None = None,
    ) -> http.client.HTTPConnection:
        """Sends a request, and does not wait for its answer."""
        connection = self._connect(may_start)
        headers = {"X-Agent-Id": self.agent, "X-String-Key": self.key, **headers}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if deadline is not None:
            deadline.begin(connection.sock)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            return connection
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise Incomplete(f"The connection broke at {method} {path}: it may have been done") from error
        except BaseException:
            connection.close()
            raise

    def _response(
        self, connection: http.client.HTTPConnection, method: str, path: str, watch: _Watch | None = None
    ) -> http.client.HTTPResponse:
        own = _Watch(connection.sock, lambda: self._hear(self.port)) if watch is None else watch
        try:
            if not select.select([connection.sock], [], [], SOON_SECS)[0]:
                own.begin()
            response = connection.getresponse()
            if watch is None:  # A stream is followed: it is opened again where it breaks.
                own.end()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            own.end()
            lost = own.lost(method, path)
            if lost is not None:
                raise lost from error
            if isinstance(error, http.client.HTTPException) and not isinstance(error, OSError):
                raise ForeignDaemon(self.port) from error
            raise Incomplete(f"The connection broke at {method} {path}: it may have been done") from error
        except BaseException:  # Ctrl-C: the daemon ends what the caller leaves.
            connection.close()
            raise
        if response.status >= 300:
            with response:
                answer = self._parsed(response.read())
            reason = answer.get("error") or ""
            wait = response.headers.get("Retry-After", "")
            kind = QueueError if reason in QUEUE_CODES else HttpError
            raise kind(response.status, answer, int(wait) if wait.isdigit() else None, self._meant(reason))
        return response

    def _parsed(self, text: bytes) -> Any:
        try:
            return json.loads(text)
        except ValueError:
            raise ForeignDaemon(self.port) from None

    def _check_agent(self) -> None:
        """One that nobody has is refused as its commands would be; nothing is changed."""
        if self.call("POST", "/agents", {"agent_id": self.agent, "check": True})["created"]:
            error = UNKNOWN_AGENT + self.agent
            raise HttpError(401, {"error": error}, meant=self._meant(error))

    def _meant(self, error: str) -> str:
        """An agent that nobody has may be misspelt."""
        if not error.startswith(UNKNOWN_AGENT):
            return ""
        try:
            names = [agent["id"] for agent in self.agents()]
        except (OSError, Refused):
            return ""
        near = difflib.get_close_matches(error[len(UNKNOWN_AGENT) :], names, 1)
        return f"Did you mean {near[0]}? " if near else ""

    def _is_there(self) -> bool:
        """Whether a daemon runs, by its record. Where it is another one than before, that is spoken to from now on."""
        running = self._running()
        if running is not None and running[2] != self._pid:
            self.port, self.key, self._pid = running
        return running is not None

    def _find(self) -> tuple[int, str]:
        """`string start` starts the daemon where none runs; its record says where it is and proves who we are."""
        program = os.environ.get("STRING", "string")
        try:
            started = subprocess.run([program, "start"], capture_output=True, text=True)
        except OSError as error:
            running = self._running()
            if running is not None:  # It can be spoken to, and not be started.
                self._hear(running[0])
                self._pid = running[2]
                return running[:2]
            advice = "Install String (docs/install.md), or name its program in the variable STRING"
            raise Unreachable(f"Cannot run {program}: {error.strerror}", advice) from error
        if started.returncode != 0:
            said = started.stderr.strip() or f"{program} start ended with status {started.returncode}, and said nothing"
            raise Unreachable(said, "`string doctor` says what is wrong")
        running = self._running()
        if running is None:
            advice = "Name the program of String in the variable STRING; `string doctor` says what is wrong with it"
            raise Unreachable(f"{program} does not tell where the daemon is: it is not String, or too old", advice)
        port, key, self._pid = running
        self._hear(port)
        return port, key

    def _hear(self, port: int) -> None:
        """Whoever does not answer this in time hangs. What else may be wrong the first request says."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_SECS)
        try:
            connection.request("GET", "/health")
            connection.getresponse().read()
        except socket.timeout:
            advice = "`string doctor` says what is wrong; `string restart` replaces a daemon that hangs"
            raise Unreachable(f"What listens on port {port} does not answer", advice) from None
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()

    def _look_again(self) -> None:
        """Where the daemon is now, if one is: a stream that only goes on starts none, because whoever stopped it meant it."""
        with contextlib.suppress(OSError, ValueError):
            self.port, self.key = self._record()

    def _running(self) -> tuple[int, str, int] | None:
        """The daemon of the record, as long as its process is there, and is not about to end."""
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            record = self._read_record()
            os.kill(record["pid"], 0)
            if not record.get("isStopping") and not _is_dead(record["pid"]):
                return record["port"], record["key"], record["pid"]
        return None

    def _record(self) -> tuple[int, str]:
        record = self._read_record()
        return record["port"], record["key"]

    def _read_record(self) -> dict[str, Any]:
        home = pathlib.Path(os.environ.get("STRING_HOME") or pathlib.Path.home() / ".string")
        data = pathlib.Path(os.environ.get("STRING_DATA_DIR") or home / "daemon")
        record: dict[str, Any] = json.loads((data / "daemon.json").read_text())
        return record


class _Watch:
    """Cuts a connection whose daemon hangs: whoever answers nobody will not answer this either."""

    def __init__(self, connection: socket.socket, hear: Callable[[], None]) -> None:
        self._connection = connection
        self._hear = hear
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._reason: Unreachable | None = None

    def begin(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._look, daemon=True)
            self._thread.start()

    def end(self) -> None:
        self._over.set()

    def lost(self, method: str, path: str) -> StringError | None:
        """What to say where it was cut here."""
        if self._reason is None or method == "GET":
            return self._reason
        return Incomplete(f"The daemon hangs at {method} {path}: it may have been done")

    def _look(self) -> None:
        while True:
            try:
                self._hear()
            except Unreachable as error:
                self._reason = error
                with contextlib.suppress(OSError):
                    self._connection.shutdown(socket.SHUT_RDWR)
                return
            if self._over.wait(ANSWER_SECS):
                return


class _Deadline:
    """Cuts a connection when its time is over: the daemon ends what ran for it."""

    def __init__(self, secs: float | None) -> None:
        self.is_over = False
        self.secs = secs
        self.timer: threading.Timer | None = None

    def begin(self, connection: socket.socket) -> None:
        if self.secs is not None:
            self.timer = threading.Timer(self.secs, self._end, [connection])
            self.timer.daemon = True
            self.timer.start()

    def _end(self, connection: socket.socket) -> None:
        self.is_over = True
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        if self.timer is not None:
            self.timer.cancel()


class _Reading:
    """Puts together what answers of a shell say, each from the place on where the one before ended."""

    def __init__(self, on_output: Callable[[str], Any] | None) -> None:
        self.seen = ""  # Nothing of before is told to whoever types at the prompt.
        self.is_cut = False
        self._on_output = on_output
        self._head = self._tail = self._untold = ""
        self._total = 0
        self._has_gap = False  # Between the two something is not known.
        self._whole: str | None = None

    def take(self, answer: dict[str, Any]) -> dict[str, Any] | None:
        data = answer["data"]
        if data is None:
            return None
        output, line = data["output"], data.get("line")
        # A line that has not ended may still be written anew: it is read again.
        if data["running"] and line is not None and output.endswith(line["text"]):
            output, self.seen = output[: len(output) - len(line["text"])], line["place"]
        else:
            self.seen = data.get("place", self.seen)
        self.is_cut = self.is_cut or bool(data.get("truncated"))
        self._miss(data.get("missed", 0))
        self._whole = data.get("whole") or self._whole
        self._add(output)
        return data

    def tell(self) -> None:
        """Hands over what is new."""
        text, self._untold = self._untold, ""
        if text and self._on_output is not None:
            self._on_output(text)

    def result(self) -> tuple[str, bool, str | None]:
        """The output, whether something is left out of it, and the file that has all."""
        output, is_long = self._head + self._tail, self._has_gap or self._total > RUN_CHARS
        if is_long:
            begin, end = _first_lines(self._head), _last_lines(self._tail[-RUN_CHARS // 2 :])
            all_of = "the whole is" if self._total < WHOLE_BYTES else f"the first {WHOLE_BYTES >> 20} MiB are"
            where = f"{all_of} in {self._whole}" if self._whole else "they are not kept"
            output = f"{begin}… {self._total - len(begin) - len(end)} characters left out; {where} …\n{end}"
        return output.rstrip("\n"), self.is_cut or is_long, self._whole

    def drop_exit(self) -> None:
        """The last line is bash's own."""
        before = len(self._head) + len(self._tail)
        self._untold = _without_exit(self._untold)
        if self._tail:
            self._tail = _without_exit(self._tail)
        else:
            self._head = _without_exit(self._head)
        self._total -= before - len(self._head) - len(self._tail)

    def _miss(self, count: int) -> None:
        """What came before the next is gone: its beginning ends there."""
        if count > 0:
            self._untold += ("" if self._untold[-1:] in ("", "\n") else "\n") + f"… {count} bytes left out …\n"
            self._total += count
            self._has_gap = True
            self._tail = ""

    def _add(self, text: str) -> None:
        self._untold += text
        self._total += len(text)
        room = 0 if self._has_gap else max(0, RUN_CHARS // 2 - len(self._head))
        self._head += text[:room]
        self._tail += text[room:]
        if len(self._tail) > RUN_CHARS:
            self._tail = self._tail[-RUN_CHARS // 2 :]


def _says_exit(command: str) -> bool:
    """Whether bash itself says so when it ends by the command, as it does where a person types."""
    return re.search(r"\bexit\b", command) is not None and re.search(r"\bexec\b", command) is None


def _without_exit(text: str) -> str:
    return re.sub(r"(^|\n)exit\n*\Z", r"\1", text)


def _first_lines(text: str) -> str:
    """Whole lines, unless that would leave little of it."""
    end = text.rfind("\n") + 1
    return text[:end] if end * 2 >= len(text) else text + "\n"


def _last_lines(text: str) -> str:
    begin = text.find("\n") + 1
    return text[begin:] if begin * 2 <= len(text) else text


def _is_dead(pid: int) -> bool:
    """Whether a process has ended, and nobody has taken note of that yet."""
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    return False


def _wait_ms(until: float | None, most: int) -> int:
    return most if until is None else max(1, min(most, int((until - time.monotonic()) * 1000)))


def _patience(until: float | None, more: float = 0) -> float | None:
    """How long an answer is waited for that is due when the time is over."""
    return None if until is None else max(OVERDUE_SECS, until - time.monotonic() + more)


def _lines(connection: socket.socket, response: http.client.HTTPResponse) -> Iterator[bytes]:
    """Those of a stream, until its daemon hangs."""
    connection.settimeout(SILENT_SECS)
    try:
        yield from response
    except socket.timeout:
        raise Incomplete(f"The daemon has said nothing for {SILENT_SECS} s") from None


def _is_set(stop: threading.Event | None) -> bool:
    return stop is not None and stop.is_set()


def _pause(secs: float, stop: threading.Event | None) -> None:
    (stop or threading.Event()).wait(secs)


@contextlib.contextmanager
def _stopped_by(stop: threading.Event | None, connection: socket.socket) -> Iterator[None]:
    """Cuts a connection when whoever reads it shall stop."""
    over = threading.Event()

    def watch(wanted: threading.Event) -> None:
        while not wanted.wait(0.2):
            if over.is_set():
                return
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)

    if stop is not None:
        threading.Thread(target=watch, args=[stop], daemon=True).start()
    try:
        yield
    finally:
        over.set()


def _is_new(event: str, data: dict[str, Any], heard: dict[str, Any], approvals: dict[str, str]) -> bool:
    """A stream that is opened again begins from its beginning, but for the text."""
    if event == "queued":
        is_new, heard["position"] = heard["position"] != data["position"], data["position"]
        return is_new
    if event == "start":
        is_new, heard["started"] = not heard["started"], True
        return is_new
    if event == "partial":
        heard["units"] += len(data["text"].encode("utf-16-le", "surrogatepass")) // 2
    if event == "step":
        is_new, heard["step"] = data["index"] > heard["step"], max(heard["step"], data["index"])
        return is_new
    if event == "approval":
        is_new, approvals[data["id"]] = approvals.get(data["id"]) != data["state"], data["state"]
        return is_new
    return event in ("partial", "result")


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _time(since: datetime | str | None) -> str | None:
    return since.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ") if isinstance(since, datetime) else since


def _absolute(path: str | os.PathLike[str]) -> str:
    """As the client for Node has it: nobody's home is meant by `~`, and the daemon says so."""
    text = os.fspath(path)
    return text if text.startswith("~") else os.path.abspath(text)


def _path(*parts: str) -> str:
    return "".join("/" + urllib.parse.quote(part, safe="") for part in parts)


def _query(path: str, **fields: Any) -> str:
    given = urllib.parse.urlencode(_given(**fields))
    return f"{path}?{given}" if given else path


class _ExecAnswer(TypedDict):
    ok: bool
    code: str | None
    cmd: str
    content: str
    data: Any
    meta: DocumentMeta | None
    format: Literal["text", "markdown"]
    topic: str
    topic_type: str
    agent_id: str
    request_id: str | None


class ExecAnswer(_ExecAnswer, total=False):
    """What a command answered. `data` is what it said as fields, by the command, or None; `outside` stands beside INVALID_PATH alone."""

    outside: str | None


class RunAnswer(TypedDict):
    ok: bool
    code: str | None
    exit: int | None
    cwd: str | None
    output: str
    truncated: bool
    whole: str | None
    content: str


class ApprovalAnswer(TypedDict):
    is_first: bool
    approval: ApprovalView
    message: str | None


# Types: written by npm run docs.


class _TurnProgress(TypedDict):
    heard_at: str
    ends_at: str | None
    ends_by: Literal["timeout_secs", "turn_timeout_secs"]
    ends_secs: float
    stderr_line: str | None


class TurnProgress(_TurnProgress, total=False):
    stdout_line: str | None


class _AgentRowTurn(TypedDict):
    turn_id: str
    session: str
    state: Literal["queued", "running", "waiting", "done", "failed", "cancelled", "interrupted"]
    since: str
    message: str


class AgentRowTurn(_AgentRowTurn, total=False):
    progress: TurnProgress


class _AgentRowLastTurn(TypedDict):
    turn_id: str
    state: Literal["queued", "running", "waiting", "done", "failed", "cancelled", "interrupted"]
    code: str | None
    ended_at: str | None


class AgentRowLastTurn(_AgentRowLastTurn, total=False):
    attempt: int
    failed_tries: int


class _AgentRow(TypedDict):
    id: str
    home: str
    allowedPaths: list[str]
    createdAt: str
    state: Literal["idle", "running", "waiting", "failing"]
    paused: bool
    has_profile: bool
    running: int
    waiting: int
    turn: AgentRowTurn | None
    last_turn: AgentRowLastTurn | None
    silent_since: str | None
    pending_events: int
    approvals: int


class AgentRow(_AgentRow, total=False):
    profile: str
    node: str


class _AgentActivityTurn(TypedDict):
    turn_id: str
    session: str
    state: Literal["queued", "running", "waiting", "done", "failed", "cancelled", "interrupted"]
    since: str
    message: str


class AgentActivityTurn(_AgentActivityTurn, total=False):
    progress: TurnProgress


class _AgentActivityLastTurn(TypedDict):
    turn_id: str
    state: Literal["queued", "running", "waiting", "done", "failed", "cancelled", "interrupted"]
    code: str | None
    ended_at: str | None


class AgentActivityLastTurn(_AgentActivityLastTurn, total=False):
    attempt: int
    failed_tries: int


class AgentActivityLimit(TypedDict):
    what: str
    until: str


class AgentActivityLimits(TypedDict):
    name: Literal["turns_per_hour", "tokens_per_day", "cost_per_day", "minutes_per_day"]
    used: float
    most: float
    opens_at: str | None


class AgentActivityEventWaits(TypedDict):
    reason: Literal["running", "queued", "limit", "paused", "broken", "reader", "given_up", "cancelled", "passed"]
    until: str | None
    turn_id: str | None
    tries: int
    events: int
    event_id: str


class _AgentActivity(TypedDict):
    id: str
    home: str
    allowedPaths: list[str]
    createdAt: str
    state: Literal["idle", "running", "waiting", "failing"]
    paused: bool
    has_profile: bool
    running: int
    waiting: int
    turn: AgentActivityTurn | None
    last_turn: AgentActivityLastTurn | None
    silent_since: str | None
    pending_events: int
    approvals: int
    wake: Literal["events"] | None
    problem: str | None
    limit: AgentActivityLimit | None
    limits: list[AgentActivityLimits]
    event_waits: list[AgentActivityEventWaits]


class AgentActivity(_AgentActivity, total=False):
    profile: str
    node: str
    warnings: list[str]


class _AgentRegistered(TypedDict):
    agent_id: str
    home: str
    created: bool


class AgentRegistered(_AgentRegistered, total=False):
    warnings: list[str]
    brings: list[str]


class AgentStanding(TypedDict):
    agent_id: str
    paused: bool
    cancelled: int


class _TurnResultView(TypedDict):
    ok: bool
    reply: str
    error: str | None
    code: str | None
    session_id: str | None
    exit_code: int
    timed_out: bool
    truncated: bool
    duration_ms: float


class TurnResultView(_TurnResultView, total=False):
    silent: bool
    warnings: list[str]


class _TurnUsage(TypedDict):
    duration_ms: float


class TurnUsage(_TurnUsage, total=False):
    input_tokens: float
    output_tokens: float
    total_tokens: float
    cache_read_tokens: float
    cache_creation_tokens: float
    reasoning_tokens: float
    cost_usd: float


class _TurnTryView(TypedDict):
    ended_at: str
    code: str | None
    reason: str


class TurnTryView(_TurnTryView, total=False):
    attempt: int


class TurnRetryView(TypedDict):
    turn_id: str
    state: Literal["queued", "running", "waiting", "done", "failed", "cancelled", "interrupted"]
    code: str | None


_TurnSummary = TypedDict(
    "_TurnSummary",
    {
        "turn_id": "str",
        "agent_id": "str",
        "session": "str",
        "from": "str",
        "source": "str",
        "event_id": "str | None",
        "request_id": "str | None",
        "message": "str",
        "state": "Literal['queued', 'running', 'waiting', 'done', 'failed', 'cancelled', 'interrupted']",
        "code": "str | None",
        "attempt": "int",
        "created_at": "str",
        "started_at": "str | None",
        "ended_at": "str | None",
        "next_at": "str | None",
        "result": "TurnResultView | None",
        "usage": "TurnUsage | None",
    },
)


class TurnSummary(_TurnSummary, total=False):
    tries: list[TurnTryView]
    retry_of: str
    retried_by: TurnRetryView


class TurnStepViewBlocks(TypedDict):
    channel: str
    topic: str
    ok: bool
    code: str | None
    cmd: str


class _TurnStepView(TypedDict):
    index: int
    text: str
    blocks: list[TurnStepViewBlocks]
    duration_ms: float


class TurnStepView(_TurnStepView, total=False):
    replies: str


class ApprovalView(TypedDict):
    id: str
    agent_id: str
    turn_id: str | None
    kind: str
    question: str
    detail: str
    choices: list[Literal["allow", "deny"]]
    created_at: str
    expires_at: str
    state: Literal["waiting", "allowed", "denied", "expired", "withdrawn"]
    answer: Literal["allow", "deny"] | None
    answered_by: str | None
    answered_at: str | None
    note: str | None


class TurnViewLostRuns(TypedDict):
    node: str
    started_at: str
    found_at: str


_TurnView = TypedDict(
    "_TurnView",
    {
        "turn_id": "str",
        "agent_id": "str",
        "session": "str",
        "from": "str",
        "source": "str",
        "event_id": "str | None",
        "request_id": "str | None",
        "message": "str",
        "state": "Literal['queued', 'running', 'waiting', 'done', 'failed', 'cancelled', 'interrupted']",
        "code": "str | None",
        "attempt": "int",
        "created_at": "str",
        "started_at": "str | None",
        "ended_at": "str | None",
        "next_at": "str | None",
        "result": "TurnResultView | None",
        "usage": "TurnUsage | None",
        "steps": "list[TurnStepView]",
        "partial": "str",
        "stderr": "str",
        "approvals": "list[ApprovalView]",
    },
)


class TurnView(_TurnView, total=False):
    tries: list[TurnTryView]
    retry_of: str
    retried_by: TurnRetryView
    progress: TurnProgress
    stdout: str
    node: str
    lost_runs: list[TurnViewLostRuns]


class _UsageView(TypedDict):
    turns: int
    failed: int
    input_tokens: float
    output_tokens: float
    total_tokens: float
    cost_usd: float
    duration_ms: float


class UsageView(_UsageView, total=False):
    agent_id: str
    session: str
    day: str


class EventView(TypedDict):
    id: str
    agentId: str
    receivedAt: str
    source: str
    text: str
    status: Literal["pending", "acked"]


class InboxItemTurn(TypedDict):
    turn_id: str
    state: Literal["queued", "running", "waiting", "done", "failed", "cancelled", "interrupted"]
    code: str | None
    attempt: int


class InboxItemWaits(TypedDict):
    reason: Literal["running", "queued", "limit", "paused", "broken", "reader", "given_up", "cancelled", "passed"]
    until: str | None
    turn_id: str | None
    tries: int


class InboxItem(TypedDict):
    id: str
    agent_id: str
    source: str
    state: Literal["pending", "acked"]
    received_at: str
    acked_at: str | None
    text: str
    bytes: int
    turn: InboxItemTurn | None
    waits: InboxItemWaits | None


class DeliveryView(TypedDict):
    id: str
    agent_id: str
    channel: str
    target: str
    state: Literal["trying", "waiting", "sent", "failed"]
    tries: int
    created_at: str
    next_at: str | None
    reason: str | None


class ChanFlowReplyBlocks(TypedDict):
    channel: str
    topic: str
    ok: bool
    code: str | None


class ChanFlowReply(TypedDict):
    text: str
    rest: str
    blocks: list[ChanFlowReplyBlocks]


class _HealthStore(TypedDict):
    kind: Literal["sqlite", "postgres"]
    where: str
    ok: bool


class HealthStore(_HealthStore, total=False):
    since: str
    reason: str


class HealthLimits(TypedDict):
    agents: int
    sessions: int
    shells: int
    waiting_commands: int
    waiting_turns: int
    waiting_approvals: int
    command_ms: int
    event_bytes: int
    request_bytes: int


class Health(TypedDict):
    ok: bool
    agents: int
    sessions: int
    version: str
    pid: int
    started_at: str
    store: HealthStore
    limits: HealthLimits


class _DocumentMeta(TypedDict):
    uri: str
    title: str | None
    current_block: str | None


class DocumentMeta(_DocumentMeta, total=False):
    app_path: str
    actions: list[str]
    menus: list[str]
    warnings: list[str]
    page: int
    pages: int
