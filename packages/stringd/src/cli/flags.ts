import { type ParseArgsConfig, parseArgs } from 'node:util'
import { quoted } from '@string-os/protocol'
import { usageError } from './exit.ts'

type Options = NonNullable<ParseArgsConfig['options']>
type Parsed<T extends Options> = ReturnType<typeof parseArgs<{ args: string[]; options: T; allowPositionals: true }>>

/** The flags of a verb. A flag that takes a value takes the next word whatever it looks like, so `-m -x` is a message. */
export function parseFlags<const T extends Options>(args: readonly string[], options: T): Parsed<T> {
  const joined = joinValues(args, options)
  try {
    return parseArgs({ args: joined, options, allowPositionals: true })
  } catch (error) {
    // What follows the first sentence explains the syntax of another program's flags.
    const [message = ''] = (error as Error).message.split('. ')
    throw usageError(quoted(message))
  }
}

function joinValues(args: readonly string[], options: Options): string[] {
  const joined: string[] = []
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? ''
    if (arg === '--') return [...joined, ...args.slice(index)]
    const name = valueFlag(arg, options)
    if (name === undefined) {
      joined.push(arg)
      continue
    }
    index += 1
    const value = args[index]
    if (value === undefined) throw usageError(`${arg} needs a value`)
    joined.push(`--${name}=${value}`)
  }
  return joined
}

function valueFlag(arg: string, options: Options): string | undefined {
  const found = Object.entries(options).find(
    ([name, { type, short }]) => type === 'string' && (arg === `--${name}` || arg === `-${short}`),
  )
  return found?.[0]
}
