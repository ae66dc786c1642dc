import type { Failure, Result, Topic } from '@string-os/protocol'
import type { CommandContext } from './context.ts'

/** `many`: the last one, and all words that are left; at least one. */
export type ParamNeed = 'required' | 'optional' | 'many'

export interface Flag {
  readonly type: 'boolean' | 'string' | 'number'
  readonly short?: string
  readonly summary: string
  /** It takes the place of the body. */
  readonly bodyless?: true
}

export type Params = Readonly<Record<string, ParamNeed>>
export type Flags = Readonly<Record<string, Flag>>

type ParamValue<N extends ParamNeed> = N extends 'required'
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

/** What a command calls for, under the names that its row gives. */
export type Args<P extends Params, F extends Flags> = ParamValues<P> &
  FlagValues<F> & { readonly body: string; readonly rest: string; readonly suffix: string | undefined }

/** A command as its text was taken apart. */
export interface CommandLine {
  readonly name: string
  /** What follows the name on the first line. */
  readonly rest: string
  /** Every following line, as it is. */
  readonly body: string
}

/** What a row says of a command. */
export interface CommandFacts<P extends Params = Params, F extends Flags = Flags> {
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
  /** Acts at once, whatever runs in the topic; `placed`: for callers with a place in what its shell prints, who only look. */
  readonly immediate?: true | 'placed'
  /** What a raw command takes, for the usage line. */
  readonly usage?: string
  /** The topic in which it runs, where that is not the one it was sent to. Takes what follows the name. */
  readonly redirect?: (rest: string) => Topic | null
}

/** A row as it is written. */
export interface CommandRow<P extends Params, F extends Flags> extends CommandFacts<P, F> {
  run(args: Args<P, F>, context: CommandContext): Promise<Result> | Result
}

/** Arguments that were read, and what they are for. */
export interface ReadArgs {
  readonly ok: true
  readonly run: (context: CommandContext) => Promise<Result> | Result
}

/** A row of the table. What its arguments are is its own affair: whoever calls it hands over the text. */
export interface Command extends CommandFacts {
  readonly read: (
    line: CommandLine,
    suffix: string | undefined,
    variables: ReadonlyMap<string, string>,
  ) => ReadArgs | Failure
}

const SHOWN: Readonly<Record<ParamNeed, (name: string) => string>> = {
  required: (name) => name,
  optional: (name) => `[${name}]`,
  many: (name) => `${name}…`,
}

/** `/ls [path] [--all]` */
export function usage(command: CommandFacts, bodySpelled = '+ body on the next lines'): string {
  const { name, params, flags, body, usage: takes } = command
  if (takes !== undefined) return `/${name} ${takes}`
  const words = Object.entries(params).map(([param, need]) => SHOWN[need](param.toUpperCase()))
  const options = Object.entries(flags).map(([flag, { type }]) =>
    type === 'boolean' ? `[--${flag}]` : `[--${flag} ${type === 'number' ? 'N' : 'TEXT'}]`,
  )
  return [`/${name}`, ...words, ...options, ...(body === 'none' ? [] : [bodySpelled])].join(' ')
}
