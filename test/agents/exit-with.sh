#!/bin/sh
# Prints a body, complains and exits with the status it is given.
echo "a body"
echo "the reason is on standard error" >&2
exit "$1"
