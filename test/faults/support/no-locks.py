"""Runs a program for which the system refuses every lock on a file, with the error that is named: ENOLCK, EIO."""
import ctypes
import errno
import os
import platform
import struct
import sys

FCNTL = {"x86_64": 72, "aarch64": 25}[platform.machine()]
SET_LOCK = 6
ALLOW, FAIL = 0x7FFF0000, 0x00050000
LOAD, EQUALS, RETURN = 0x20, 0x15, 0x06


def instruction(code, yes, no, value):
    return struct.pack("HBBI", code, yes, no, value)


refused = FAIL | getattr(errno, sys.argv[1])
rules = [
    instruction(LOAD, 0, 0, 0),  # the number of the call
    instruction(EQUALS, 0, 3, FCNTL),
    instruction(LOAD, 0, 0, 24),  # the low half of its second argument
    instruction(EQUALS, 0, 1, SET_LOCK),
    instruction(RETURN, 0, 0, refused),
    instruction(RETURN, 0, 0, ALLOW),
]
code = ctypes.create_string_buffer(b"".join(rules))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(rules), ctypes.addressof(code)))
prctl = ctypes.CDLL(None, use_errno=True).prctl
if prctl(38, 1, 0, 0, 0) != 0 or prctl(22, 2, program, 0, 0) != 0:
    sys.exit("no filter can be set here")
os.execv(sys.argv[2], sys.argv[2:])
