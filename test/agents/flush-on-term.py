#!/usr/bin/env python3
# Heeds TERM: says what it still has, counts how often it was asked, and exits.
import signal, sys, time

asked = 0

def stop(number, frame):
    global asked
    asked += 1

signal.signal(signal.SIGTERM, stop)
print('AGENT_PARTIAL:"before"', flush=True)
while asked == 0:
    time.sleep(0.01)
time.sleep(0.1)
print(f'AGENT_PARTIAL:"asked {asked} times"', flush=True)
sys.exit(3)
