#!/usr/bin/env python3
# Makes a daemon the classic way: fork, setsid, fork, close everything; it ignores TERM and HUP.
import os, signal, sys, time

print("an answer", flush=True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        os.closerange(0, 64)
        time.sleep(60)
    os._exit(0)
os.wait()
