#!/bin/sh
# Ends, but leaves a child that keeps the output open.
sleep 60 &
echo "an answer"
