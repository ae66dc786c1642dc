#!/bin/bash
# Says a word twenty times a second for as many seconds as its message says, without starting anything for its pauses.
exec 9<> <(:)
for ((word = 0; word < AGENT_MESSAGE * 20; word += 1)); do
  echo "AGENT_PARTIAL:\"word $word of a long answer that goes on and on, \""
  read -r -t 0.05 -u 9
done
echo done
