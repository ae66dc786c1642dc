/** A complaint of the YAML parser. */
export interface YamlComplaint {
  readonly code: string
  readonly message: string
  /** An offset into the text. */
  readonly at: number
}

/** The same for a person: where the mistake is, not where the parser noticed it, and what to write. */
export interface PlainYaml {
  readonly at: number
  readonly problem: string
  readonly fix: string
}

/** What the parser says by `code`, in plain words. */
export function plainYaml(text: string, { code, message, at }: YamlComplaint): PlainYaml {
  const closing = /closing (["'])/.exec(message)?.[1] ?? /end with a ([\]}])/.exec(message)?.[1] ?? null
  if (closing !== null) return unclosed(text, at, closing)
  const [problem, fix] = PLAIN[code] ?? [
    message,
    'Write `key: value`, one to a line, and put a value with signs into quotes',
  ]
  return { at, problem, fix }
}

/** The same in one sentence, with its place. */
export function yamlReason(text: string, complaint: YamlComplaint): string {
  const { at, problem, fix } = plainYaml(text, complaint)
  const before = text.slice(0, at).split('\n')
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${problem}. ${fix}`
}

const COLON = 'Write `key: value` with a blank behind the colon'

const PLAIN: Readonly<Record<string, readonly [problem: string, fix: string]>> = {
  BLOCK_AS_IMPLICIT_KEY: [
    'a value has a colon, or the next line is indented differently',
    'Put the value into quotes, or indent keys of one list alike',
  ],
  MULTILINE_IMPLICIT_KEY: ['this line is no `key: value`', COLON],
  MISSING_CHAR: ['this line is no `key: value`', COLON],
  DUPLICATE_KEY: ['this key stands twice', 'Remove one of the two'],
  TAB_AS_INDENT: ['a tab stands where blanks indent', 'Indent with blanks'],
  BAD_SCALAR_START: ['a value cannot begin with this sign', 'Put the value into quotes'],
  BAD_DQ_ESCAPE: [
    'this backslash means nothing between double quotes',
    'Write two backslashes, or put the value into single quotes',
  ],
  UNEXPECTED_TOKEN: ['something stands behind the end of a value', 'Remove it, or put the whole value into quotes'],
  BAD_INDENT: ['this line is indented differently from those it belongs to', 'Indent keys of one list alike'],
}

const OPENING: Readonly<Record<string, string>> = { ']': '[', '}': '{' }

function unclosed(text: string, noticed: number, closing: string): PlainYaml {
  const opening = OPENING[closing] ?? closing
  const at = openedAt(text, noticed, opening, closing)
  return opening === closing
    ? { at, problem: `a quote ${closing} is not closed`, fix: `Write ${closing} at the end of the value` }
    : {
        at,
        problem: `${opening} is not closed`,
        fix: `Write ${closing} behind the last item; a list of several lines is indented`,
      }
}

/** The last line up to there in which more is opened than closed, at the sign that opens. */
function openedAt(text: string, noticed: number, opening: string, closing: string): number {
  let end = text.slice(0, noticed).trimEnd().length
  while (end > 0) {
    const start = text.lastIndexOf('\n', end - 1) + 1
    const line = text.slice(start, end)
    const [opens, closes] = [line.split(opening).length - 1, line.split(closing).length - 1]
    if (opening === closing ? opens % 2 === 1 : opens > closes) return start + line.indexOf(opening)
    end = start - 1
  }
  return noticed
}
