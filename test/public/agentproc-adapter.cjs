// Our bridge in the shape of the runner of the public agentproc package, so that what is written for that runs against ours.
// Loaded with `node --require` and AGENTPROC_RUNNER set, it takes that runner's place.
const Module = require('node:module')
const path = require('node:path')
const { pathToFileURL } = require('node:url')

const bridge = import(pathToFileURL(path.join(__dirname, '../../packages/bridge/dist/index.js')).href)

async function run(profile, options) {
  const { parseProfile, runTurn } = await bridge
  const { message, sessionId = '', sessionName = '', attachments = [], extraEnv = {}, cwd = process.cwd() } = options
  const tell = options.onStderr ?? (() => undefined)
  const reading = parseProfile(JSON.stringify(keysOf(profile, options)), path.join(cwd, 'profile.yaml'))
  if (!reading.ok) throw new Error(reading.problems.map((problem) => problem.message).join('; '))
  for (const warning of reading.warnings) tell(warning.message)
  const { onPermission } = options
  const result = await runTurn(
    reading.profile,
    {
      message,
      sessionId,
      sessionName,
      fromUser: '',
      attachments: attachments.map(({ kind, url }) => ({ type: kind, url, name: null })),
    },
    {
      cwd,
      environment: process.env,
      extraEnv,
      onPartial: (text, role) => options.onPartial?.(text, role ?? undefined),
      onWarning: tell,
      onStderr: tell,
      ...(onPermission && { onPermission: async (request) => (await onPermission(request)).behavior }),
    },
  )
  return {
    reply: result.reply,
    sessionId: result.session_id ?? '',
    error: result.error ?? '',
    exitCode: result.exit_code,
    timedOut: result.timed_out,
    failed: !result.ok,
  }
}

function keysOf(profile, { streaming, timeoutSecs }) {
  const own = { ...(streaming != null && { streaming }), ...(timeoutSecs != null && { timeout_secs: timeoutSecs }) }
  return { wire: '0.4', ...profile, ...own }
}

function takePlaceOf(runner) {
  const load = Module._load
  Module._load = function replaced(request, parent, isMain) {
    const exports = load.call(this, request, parent, isMain)
    const isRunner = request.endsWith('runner.js') && Module._resolveFilename(request, parent) === runner
    return isRunner ? { ...exports, run } : exports
  }
}

if (process.env.AGENTPROC_RUNNER) takePlaceOf(process.env.AGENTPROC_RUNNER)

module.exports = { run }
