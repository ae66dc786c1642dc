#!/bin/sh
# Prints each argument as a line.
printf '%s\n' "$@"
