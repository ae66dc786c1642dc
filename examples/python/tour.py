"""Runs commands, cancels one, hears of an event, and asks an agent. python3 tour.py [AGENT]: an agent that has a profile."""

import sys
import threading
import urllib.request

from string_daemon import Refused, StringDaemon

string = StringDaemon()

# A command: what it says is text, and as fields in data.
listing = string.exec("files", "/exec printf 'one\\ntwo\\n'")
print(listing["ok"], listing["data"]["output"].splitlines()[-1], listing["data"]["exit"])

# One that fails is an answer too.
missing = string.exec("files", "/open ./missing.md")
print(missing["ok"], missing["code"])

# What the daemon refuses is an exception.
try:
    string.exec("not a topic", "/close")
except Refused as refused:
    print(refused.status, refused)
    print("next:", refused.next)

# Another thread may end what runs.
threading.Timer(0.5, lambda: string.cancel("bash:slow")).start()
print(string.exec("bash:slow", "sleep 60")["code"])

# Events: open the stream, then let somebody post one.
url = string.webhook()
for name, event in string.events():
    if name == "ready":
        urllib.request.urlopen(url, data=b"build 417 failed").close()
    else:
        print(event["source"], event["text"])
        break

# A turn: the text comes in pieces, the result in the end.
for agent in sys.argv[1:2]:
    for name, data in string.turn("hello", agent=agent, from_="ada"):
        if name == "partial":
            print("partial:", data["text"])
        if name == "result":
            print("reply:", data["reply"] if data["ok"] else data["error"])
