#!/bin/sh
# Ends, but its child has the last word.
(sleep 0.2; echo "from the child") &
echo "from the agent"
