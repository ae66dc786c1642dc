#!/bin/sh
# An agent without a model: it decides by the step it is at.
case "${AGENT_SESSION_ID:-0}" in
  0) echo AGENT_SESSION:1; printf '<𝒞=string:main>/find retryLimit ./src</𝒞>\n' ;;
  1) echo AGENT_SESSION:2; printf '<𝒞=string:main>\n/replace ./src/queue.js\nretryLimit = 3\n---\nretryLimit = 5\n</𝒞>\n' ;;
  2) echo AGENT_SESSION:3; printf '<𝒞=string:bash:test>./check.sh</𝒞>\n' ;;
  *) echo AGENT_SESSION:0
     printf '## Done\n\nMails were given up after **3** tries. I raised `retryLimit` in `src/queue.js`:\n\n| before | after | check |\n|---|---|---|\n| 3 | 5 | 12 mails delivered, 0 lost |\n' ;;
esac
