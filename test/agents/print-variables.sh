#!/bin/sh
# Prints its environment, one JSON-free NAME=value per variable, sorted.
env | LC_ALL=C sort
