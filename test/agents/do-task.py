#!/usr/bin/env python3
# Knows nothing but text: reads a task, then what came of its blocks, and writes the next ones until it can answer.
import json
import os
import sys

STEPS = [
    ("Please close the report", "I look at it first.\n\n<𝒞=string:main>\n/open report.md\n</𝒞>"),
    ("Status: open", "<𝒞=string:main>\n/replace #status\nStatus: closed\n</𝒞>"),
    ("✓", "Now the test, and something that cannot work.\n<𝒞=string:bash:dev>\nsh ./check.sh\n</𝒞>\n"
          "<𝒞=string:main>\n/open nowhere.md\n</𝒞>"),
    ("check: the report is closed", "<𝒞=email:boss@company.com>\nSubject: Report\n\nThe report is closed.\n</𝒞>"),
    ("✓", "The report is closed, and the boss knows."),
]

message = sys.stdin.read()
step = int(os.environ["AGENT_SESSION_ID"].removeprefix("step-") or 0)
expected, answer = STEPS[step]
with open("heard.txt", "a", encoding="utf-8") as heard:
    heard.write(f"--- {step}\n{message}\n")
print(f"AGENT_SESSION:step-{step + 1}")
if expected in message:
    print(answer)
else:
    print("AGENT_ERROR:" + json.dumps(f"Step {step} got: {message}"))
