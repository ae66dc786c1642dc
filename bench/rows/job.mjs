import { jobThroughFiles, jobThroughString } from '../lib/job-agents.mjs'
import { fromRegistry, PUBLIC } from '../lib/registry.mjs'

/** By a model that reads /help before anything else: the most that the job takes. */
export const jobCalls = {
  name: 'calls: the job over MCP, /help first',
  unit: 'calls',
  better: 'lower',
  bar: 6,
  dream: 4,
  measure: async (context) => ({ base: null, ours: (await jobThroughString(context, { asksHelp: true })).calls }),
}

export const jobTokens = {
  name: 'tokens: the job over MCP, /help first',
  unit: 'tokens',
  better: 'lower',
  bar: 1_200,
  dream: 600,
  measure: async (context) => ({ base: null, ours: (await jobThroughString(context, { asksHelp: true })).tokens }),
}

/** By models that know what the definitions of their tools tell, on both sides. */
export const jobBeside = {
  name: 'tokens: the job beside a files server + shell',
  unit: 'tokens',
  better: 'lower',
  bar: 1,
  dream: 0.8,
  measure: (context) => beside(context, ({ tokens }) => tokens),
}

export const jobWhole = {
  name: 'tokens: the job, tool definitions counted',
  unit: 'tokens',
  better: 'lower',
  bar: 0.5,
  dream: 0.2,
  measure: (context) => beside(context, ({ tokens, definitions }) => tokens + definitions),
}

async function beside(context, cost) {
  const { path, skipped } = fromRegistry(context, PUBLIC.files)
  if (skipped !== undefined) return { skipped }
  const theirs = await jobThroughFiles(context, path)
  const ours = await jobThroughString(context, { asksHelp: false })
  return { base: cost(theirs), ours: cost(ours) }
}
