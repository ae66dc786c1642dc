/** Tests of the package's runner that our bridge does not pass, each with the reason. */
export const DIFFERENCES: Readonly<Record<string, string>> = {
  'inbound sessionId but agent emits no session_id → result.sessionId is empty':
    'a session goes on with the id it has until the agent declares another',
  'wire 0.4: AGENT_* env vars are NOT injected': 'they are there on every wire, beside the line on standard input',
  '{{MESSAGE}} in args is not substituted (literal passthrough)': 'placeholders are the same on every wire',
  'spawn error (command not found) → exit 1': 'a missing program is 127, as in a shell',
  'stderr diagnosis survives a >1 MB noisy stderr (head cap keeps early signal)':
    'an error is not guessed from standard error, whose end is in the result',
  'permission:false ignores permission_request (no onPermission call)': 'it is ignored, with a warning in other words',
  'permission deny is written when onPermission returns deny': 'an answer is allow or deny, without a message',
  'unknown executor + no command → hard fail (throws)': 'there are no executors; a profile needs a command',
  'unknown executor + command present → warn via onStderr + fall back to spawn':
    'there are no executors; `command` is run without a word',
}
