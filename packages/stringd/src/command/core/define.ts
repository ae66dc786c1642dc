import type { Result, Topic } from '@string-os/protocol'
import type { CommandContext } from './context.ts'

/** `many`: the last one, and all words that are left; at least one. */
type Need = 'required' | 'optional' | 'many'

export interface Flag {
  readonly type: 'boolean' | 'string' | 'number'
  readonly short?: string
  readonly summary: string
  /** It takes the place of the body. */
  readonly bodyless?: true
}

type Params = Readonly<Record<string, Need>>
type Flags = Readonly<Record<string, Flag>>

type ParamValue<N extends Need> = N extends 'required'
  ? string
  : N extends 'many'
    ? readonly string[]
    : string | undefined
type ParamValues<P extends Params> = { readonly [K in keyof P]: ParamValue<P[K]> }
type FlagValue<F extends Flag> = F['type'] extends 'boolean'
  ? boolean
  : F['type'] extends 'number'
    ? number | undefined
    : string | undefined
type FlagValues<F extends Flags> = { readonly [K in keyof F]: FlagValue<F[K]> }

export interface Command<P extends Params = Params, F extends Flags = Flags> {
  readonly name: string
  readonly aliases?: readonly string[]
  /** One line, for the list of commands. */
  readonly summary: string
  /** Arguments by name, in their order. */
  readonly params: P
  readonly flags: F
  readonly body: 'none' | 'optional' | 'required'
  /** What `/help NAME` tells beyond the summary. */
  readonly details: readonly string[]
  readonly examples: readonly string[]
  /** What follows the name is taken as it stands, as `rest`: no words, no flags, no variables. */
  readonly raw?: true
  /** What follows this character in the name is an argument, `suffix`: `/act.NAME`. */
  readonly suffix?: '.' | ':'
  /** Acts at once, whatever runs in the topic. */
  readonly immediate?: true
  /** What a raw command takes, for the usage line. */
  readonly usage?: string
  /** The topic in which it runs, where that is not the one it was sent to. Takes what follows the name. */
  readonly redirect?: (rest: string) => Topic | null
  run(
    args: ParamValues<P> &
      FlagValues<F> & { readonly body: string; readonly rest: string; readonly suffix: string | undefined },
    context: CommandContext,
  ): Promise<Result> | Result
}

/** Keeps the literal types of `params` and `flags`, so that `run` sees `path: string`, not `string | undefined`. */
export function defineCommand<const P extends Params, const F extends Flags>(command: Command<P, F>): Command {
  return command
}

const SHOWN: Readonly<Record<Need, (name: string) => string>> = {
  required: (name) => name,
  optional: (name) => `[${name}]`,
  many: (name) => `${name}…`,
}

/** `/ls [path] [--all]` */
export function usage({ name, params, flags, body, usage: takes }: Command): string {
  if (takes !== undefined) return `/${name} ${takes}`
  const words = Object.entries(params).map(([param, need]) => SHOWN[need](param.toUpperCase()))
  const options = Object.entries(flags).map(([flag, { type }]) =>
    type === 'boolean' ? `[--${flag}]` : `[--${flag} ${type === 'number' ? 'N' : 'TEXT'}]`,
  )
  return [`/${name}`, ...words, ...options, ...(body === 'none' ? [] : ['+ body on the next lines'])].join(' ')
}
