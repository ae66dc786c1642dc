import { bashBuiltin, bashExternal, bashExternalFloor } from './rows/bash.mjs'
import { readBeside, runnerBeside, shellBeside, toolsBeside } from './rows/beside.mjs'
import { bridgePartials } from './rows/bridge-partials.mjs'
import { bridgeTurn } from './rows/bridge-turn.mjs'
import { chanFlowDecode, chanFlowFlat } from './rows/chanflow.mjs'
import { cliInfo } from './rows/cli-info.mjs'
import { connectionKeyed, connectionLookedUp } from './rows/connection.mjs'
import { daemonStart } from './rows/daemon-start.mjs'
import { execInfo } from './rows/exec-info.mjs'
import { execOpen } from './rows/exec-open.mjs'
import { findRegex, findText } from './rows/find.mjs'
import { growStart, growStreams, growTopics } from './rows/growth.mjs'
import { jobBeside, jobCalls, jobTokens, jobWhole } from './rows/job.mjs'
import { loopDelay } from './rows/loop-delay.mjs'
import { mcpCall } from './rows/mcp-call.mjs'
import { memoryCommands } from './rows/memory-commands.mjs'
import { memoryIdle } from './rows/memory-idle.mjs'
import { memoryTabs } from './rows/memory-tabs.mjs'
import { pageRows } from './rows/page.mjs'
import { postgresWebhookLatency, postgresWebhookThroughput } from './rows/postgres-webhook.mjs'
import { render1m } from './rows/render-1m.mjs'
import { render100k } from './rows/render-100k.mjs'
import { renderHostile } from './rows/render-hostile.mjs'
import { storeGrowth } from './rows/store-growth.mjs'
import { storeTurns } from './rows/store-turns.mjs'
import { throughputInfo } from './rows/throughput-info.mjs'
import { throughputOpen } from './rows/throughput-open.mjs'
import { tokensHelp } from './rows/tokens-help.mjs'
import { tokensMcp } from './rows/tokens-mcp.mjs'
import { daemonSessions, daemonTurn, daemonTurnBare, turnWrites } from './rows/turns.mjs'
import { webhookLatency, webhookThroughput } from './rows/webhook.mjs'

/**
 * A row: name, unit, bar, dream, better ('lower' or 'higher'), and measure(context), which returns { base, ours } in
 * the unit. Bar and dream bound ours / base; where base is null they bound ours itself; a row without a bar only tells. An `allowance` is taken off ours
 * before that. A row that needs what this machine does not have returns { skipped }, the reason. Rows side by side that
 * name the same `stage` share what that function of the context returns: it is the second argument of their measure.
 */
export const ROWS = [
  execInfo,
  execOpen,
  throughputInfo,
  throughputOpen,
  bashBuiltin,
  bashExternal,
  bashExternalFloor,
  webhookLatency,
  webhookThroughput,
  postgresWebhookLatency,
  postgresWebhookThroughput,
  ...storeGrowth,
  ...storeTurns,
  growTopics,
  growStreams,
  growStart,
  connectionKeyed,
  connectionLookedUp,
  mcpCall,
  cliInfo,
  daemonStart,
  bridgeTurn,
  bridgePartials,
  daemonTurn,
  daemonTurnBare,
  daemonSessions,
  turnWrites,
  render100k,
  render1m,
  renderHostile,
  chanFlowDecode,
  chanFlowFlat,
  findText,
  findRegex,
  loopDelay,
  memoryIdle,
  memoryTabs,
  memoryCommands,
  tokensMcp,
  tokensHelp,
  jobCalls,
  jobTokens,
  jobBeside,
  jobWhole,
  readBeside,
  shellBeside,
  runnerBeside,
  ...toolsBeside,
  ...pageRows,
]

/** The paths that every day's work takes, in two minutes. */
export const QUICK = [
  execInfo,
  execOpen,
  throughputInfo,
  throughputOpen,
  bashBuiltin,
  bashExternal,
  webhookLatency,
  webhookThroughput,
  mcpCall,
  cliInfo,
  daemonStart,
  bridgeTurn,
  bridgePartials,
]
