#!/bin/sh
# Neither it nor its child listens to TERM.
trap '' TERM HUP
echo 'AGENT_PARTIAL:"started"'
sleep 60 &
wait
sleep 60
