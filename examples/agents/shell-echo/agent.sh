#!/bin/sh
# The smallest agent: what it prints is the reply.
# A line of the reply must not begin like a line of the protocol, so such lines get a blank in front.
printf 'You said: %s\n' "$AGENT_MESSAGE" | sed 's/^AGENT_/ AGENT_/'
