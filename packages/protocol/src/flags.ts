/** What a flag takes: nothing, a text, a whole number, or, where one of them follows, `true` or `false`. */
type FlagType = 'boolean' | 'string' | 'number' | 'truth'

export interface FlagRow {
  readonly type: FlagType
  /** Each letter of it is one. */
  readonly short?: string | null
  /** All its values count, not the last alone. */
  readonly multiple?: true
}

/** Flags by their long names. */
export type FlagTable = Readonly<Record<string, FlagRow>>

/** How flags are written in one place: the command line has other habits than what is typed into a topic. */
export interface FlagGrammar {
  /** What is a flag at all. Its groups are the long name and the value behind it, the short name and the value behind that. */
  readonly pattern: RegExp
  /** Whether every word behind `--` is a value. */
  readonly hasEnd: boolean
  /** A flag that has one value is given once; elsewhere the last counts. */
  readonly isOnce?: true
}

/** Why a word that looks like a flag is none that can be used. */
export interface FlagProblem {
  readonly ok: false
  readonly reason: 'unknown' | 'valueless' | 'valued' | 'no-number' | 'twice'
  /** The place of the word. */
  readonly at: number
  /** The flag with its dashes, as it was typed. */
  readonly spelled: string
  /** As the table calls it; null: it is not there. */
  readonly name: string | null
  readonly value: string
}

export interface TypedWord {
  readonly ok: true
  readonly at: number
  readonly spelled: string
  /** As the table calls it; null: the word is a value that belongs to no flag. */
  readonly name: string | null
  /** `true` of a flag that stands alone. */
  readonly value: string | true
}

/**
 * Goes through words in their order and says of each whether it is a flag or a value. Only what was typed can be a flag:
 * `words` are the typed ones with the values of variables in place.
 */
export function* eachWord(
  table: FlagTable,
  { pattern, hasEnd }: FlagGrammar,
  typed: readonly string[],
  words: readonly string[] = typed,
): Generator<TypedWord | FlagProblem> {
  let isOver = false
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (!isOver && hasEnd && typed[at] === '--') isOver = true
    else if (isOver || !pattern.test(typed[at] ?? '')) yield { ok: true, at, spelled: '', name: null, value: word }
    else {
      const { takesNext, ...read } = readFlag(table, pattern, word, words[at + 1])
      yield { ...read, at }
      if (takesNext) at += 1
    }
  }
}

type Read = (Omit<TypedWord, 'at'> | Omit<FlagProblem, 'at'>) & { readonly takesNext: boolean }

function readFlag(table: FlagTable, pattern: RegExp, word: string, next: string | undefined): Read {
  const [, long, longValue, short = '', shortValue] = pattern.exec(word) ?? []
  const spelled = long === undefined ? `-${short}` : `--${long}`
  const inline = long === undefined ? shortValue : longValue
  const found = Object.entries(table).find(([key, row]) =>
    long === undefined ? row.short?.split('').includes(short) === true : key === long,
  )
  const wrong = (reason: FlagProblem['reason'], name: string | null): Read => {
    return { ok: false, reason, spelled, name, value: inline ?? '', takesNext: false }
  }
  if (found === undefined) return wrong('unknown', null)
  const [name, { type }] = found
  if (type === 'boolean' && inline !== undefined) return wrong('valued', name)
  const isAlone = type === 'boolean' || (type === 'truth' && next !== 'true' && next !== 'false')
  const value = inline ?? (isAlone ? true : next)
  if (value === undefined) return wrong('valueless', name)
  return { ok: true, spelled, name, value, takesNext: inline === undefined && !isAlone }
}

interface TypeValues {
  readonly boolean: boolean
  readonly truth: boolean
  readonly string: string | undefined
  readonly number: number | undefined
}

type FlagValue<Row extends FlagRow> = Row extends { readonly multiple: true }
  ? readonly string[] | undefined
  : TypeValues[Row['type']]

/** What the flags of a table hold: one that was not given holds nothing, or `false`. */
export type FlagValues<Table extends FlagTable> = { [Name in keyof Table]: FlagValue<Table[Name]> }

export interface ReadFlags<Table extends FlagTable> {
  readonly ok: true
  readonly values: FlagValues<Table>
  /** What belongs to no flag. */
  readonly words: readonly string[]
}

/** Reads all words at once; the first that cannot be used is the answer. */
export function readFlags<const Table extends FlagTable>(
  table: Table,
  grammar: FlagGrammar,
  typed: readonly string[],
  words: readonly string[] = typed,
): ReadFlags<Table> | FlagProblem {
  const given = new Map<string, string[]>()
  const others: string[] = []
  for (const read of eachWord(table, grammar, typed, words)) {
    if (!read.ok) return read
    const { name, value } = read
    const text = value === true ? 'true' : value
    if (name === null) others.push(text)
    else if (table[name]?.type === 'number' && !/^\d{1,9}$/.test(text))
      return { ...read, ok: false, reason: 'no-number', value: text }
    else {
      const before = given.get(name)
      if (before === undefined) given.set(name, [text])
      else if (grammar.isOnce === true && value !== true && table[name]?.multiple !== true)
        return { ...read, ok: false, reason: 'twice', value: text }
      else before.push(text)
    }
  }
  const values: Record<string, ReturnType<typeof flagValue>> = {}
  for (const name in table) {
    const row = table[name]
    if (row !== undefined) values[name] = flagValue(row, given.get(name) ?? NONE)
  }
  // What each row makes of its texts is what its type says.
  return { ok: true, values: values as FlagValues<Table>, words: others }
}

const NONE: readonly string[] = []

function flagValue({ type, multiple }: FlagRow, texts: readonly string[]): FlagValue<FlagRow> | readonly string[] {
  const last = texts.at(-1)
  if (type === 'boolean' || type === 'truth') return last === 'true'
  if (multiple === true) return last === undefined ? undefined : texts
  return type === 'number' && last !== undefined ? Number(last) : last
}
