#!/usr/bin/env python3
# A conversation: counts its turns in the session id, and streams its answer word by word.
import json, os

turn = int(os.environ["AGENT_SESSION_ID"].removeprefix("turn-") or 0) + 1
for word in f"turn {turn} of {os.environ['AGENT_SESSION_NAME']}".split():
    print("AGENT_PARTIAL:" + json.dumps(word), flush=True)
print(f"AGENT_SESSION:turn-{turn}")
