// What the JSON events of Claude Code mean, for both adapters beside this file.

/** Refused at the door: trying again with the same key does not help, once a login was renewed. */
const REFUSED = [401, 403]

/**
 * Reads one event after the other and tells `session`, `say` (a piece of the answer), `status` (what it waits for),
 * `fail`, `giveUp` (nothing will come of it) and `done`.
 */
export function createReader({ session, say, status, fail, giveUp, done }) {
  let hasSpoken = false
  let isMidText = false

  return function read({ type, subtype, event, ...fields }) {
    // Told at once, so that a turn that is cancelled is not lost.
    if (type === 'system' && subtype === 'init') session(fields.session_id)
    if (type === 'system' && subtype === 'api_retry') retry(fields)
    if (type === 'stream_event' && event?.delta?.type === 'text_delta') {
      hasSpoken = true
      isMidText = true
      say(event.delta.text)
    }
    // Several answers, with tools in between, shall not run into each other.
    if (type === 'stream_event' && event?.type === 'content_block_stop' && isMidText) {
      isMidText = false
      say('\n')
    }
    if (type === 'result') end(subtype, fields)
  }

  function retry({ attempt, max_retries, retry_delay_ms, error_status, error }) {
    const reason = [error_status, error].filter(Boolean).join(' ')
    if (REFUSED.includes(error_status) && attempt > 1) {
      fail(`Claude Code is refused: ${reason}. Log in with "claude", or check ANTHROPIC_API_KEY.`)
      giveUp()
    } else status(`${reason}; try ${attempt} of ${max_retries} in ${Math.ceil(retry_delay_ms / 1000)} s`)
  }

  function end(subtype, { session_id, is_error, result, errors }) {
    if (session_id) session(session_id)
    if (is_error) fail(result || errors?.join('\n') || `Claude Code ended with ${subtype}.`)
    else if (!hasSpoken) say(result ?? '')
    done()
  }
}

export function parse(line) {
  try {
    return JSON.parse(line)
  } catch {
    // A line for people among the events.
    return null
  }
}
