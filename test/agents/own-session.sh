#!/bin/sh
# Ends, but leaves a child in a session of its own that has let go of the output.
setsid sleep 60 </dev/null >/dev/null 2>&1 &
echo "an answer"
