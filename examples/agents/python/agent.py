#!/usr/bin/env python3
"""An agent with a memory: it streams its answer word by word and goes on with a session in the next turn."""

import json
import os
import re
import sys
import time
import uuid
from pathlib import Path

FOLDER = Path.home() / ".local" / "state" / "string-python-agent"


def say(prefix, text):
    print(prefix + json.dumps(text), flush=True)


def open_session(session_id):
    """The id is ours: we made it, so anything else is no session of ours (and no path)."""
    if not re.fullmatch(r"[0-9a-f]{32}", session_id):
        return uuid.uuid4().hex, []
    path = FOLDER / f"{session_id}.json"
    return session_id, json.loads(path.read_text()) if path.exists() else []


def keep_session(session_id, messages):
    FOLDER.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = FOLDER / f"{session_id}.json"
    temporary = path.with_suffix(f".{os.getpid()}")
    temporary.write_text(json.dumps(messages))
    temporary.replace(path)


def main():
    message = sys.stdin.read() or os.environ.get("AGENT_MESSAGE", "")
    session_id, messages = open_session(os.environ.get("AGENT_SESSION_ID", ""))
    if message.strip() == "fail":
        say("AGENT_ERROR:", "You asked me to fail.")
        return 1
    before = f'Before that: "{messages[-1]}".' if messages else "Nice to meet you."
    answer = f'Message {len(messages) + 1}: "{message}". {before}'
    keep_session(session_id, [*messages, message])
    # The line may stand anywhere; the last one counts.
    print(f"AGENT_SESSION:{session_id}", flush=True)
    if os.environ.get("AGENT_STREAMING") != "1":
        print(re.sub(r"^AGENT_", " AGENT_", answer, flags=re.MULTILINE))
        return 0
    for word in re.findall(r"\s*\S+", answer):
        say("AGENT_PARTIAL:", word)
        time.sleep(0.03)
    return 0


if __name__ == "__main__":
    sys.exit(main())
