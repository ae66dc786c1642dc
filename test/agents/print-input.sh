#!/bin/sh
# Prints what standard input holds, up to its end.
cat
