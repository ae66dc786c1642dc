import { parseArgs, type Values } from './args.ts'
import type { Args, Command, CommandRow, Flag, Flags, ParamNeed, Params } from './command.ts'

/** A row of the table. The literal types of `params` and `flags` reach `run`: it sees `path: string`, not `string | undefined`. */
export function defineCommand<const P extends Params, const F extends Flags>(row: CommandRow<P, F>): Command {
  return {
    ...row,
    read: (line, suffix, variables) => {
      const parsed = parseArgs(row, line, variables)
      if (!parsed.ok) return parsed
      const args = parsed.values
      args.suffix = suffix
      if (!isFor(row, args)) throw new Error(`The arguments of /${row.name} are not what its row declares`)
      return { ok: true, run: (context) => row.run(args, context) }
    },
  }
}

function isFor<P extends Params, F extends Flags>(row: CommandRow<P, F>, args: Values): args is Values & Args<P, F> {
  const { body, rest, suffix } = args
  return (
    typeof body === 'string' &&
    typeof rest === 'string' &&
    (suffix === undefined || typeof suffix === 'string') &&
    Object.entries(row.params).every(([name, need]) => isParam(need, args[name])) &&
    Object.entries(row.flags).every(([name, flag]) => isFlag(flag, args[name]))
  )
}

function isParam(need: ParamNeed, value: Values[string]): boolean {
  if (need === 'many') return Array.isArray(value)
  return typeof value === 'string' || (need === 'optional' && value === undefined)
}

function isFlag({ type }: Flag, value: Values[string]): boolean {
  return typeof value === type || (type !== 'boolean' && value === undefined)
}
