#!/bin/sh
# Prints its argument with printf's escapes, and no newline behind it.
printf '%b' "$1"
