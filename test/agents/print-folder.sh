#!/bin/sh
pwd -P
