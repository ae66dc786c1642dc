import type {
  Case,
  CommandNode,
  CompoundList,
  For,
  Function as FunctionNode,
  If,
  Pipeline,
  PipelineNode,
  Statement,
  While,
} from 'unbash'
import { isTold, noteTarget } from '../know/files.ts'
import { giveName } from '../know/names.ts'
import { REFUSED, unnamed } from '../know/refusal.ts'
import type { Written } from '../know/text.ts'
import { holdsInput } from '../rules/call.ts'
import { isKnownName } from '../rules/judge-call.ts'
import { type ScriptPart, textPart } from '../script-part.ts'
import { writeArithmetic } from './arithmetic.ts'
import { writeCommand } from './command.ts'
import { writeRedirection } from './redirection.ts'
import { writeTest } from './test-command.ts'
import type { Input, Walk } from './walk.ts'
import { writeListed, writeWord } from './word.ts'

type Piece = string | Written | readonly ScriptPart[]

/** Commands one after the other, each in a line of its own. */
export function writeList(statements: readonly Statement[], input: Input, walk: Walk): Written {
  const lines = statements.map(({ command, background }) => {
    const written = command.type === 'AndOr' ? chain(command, input, walk) : pipeline(command, input, walk)
    return write(written, background === true ? ' &\n' : '\n')
  })
  return write(...lines)
}

/** Joins text and what was written; it holds a value when a part of it does. */
function write(...pieces: readonly Piece[]): Written {
  const written = pieces.map((piece): Written => {
    if (typeof piece === 'string') return { parts: [textPart(piece)], holds: false }
    return 'holds' in piece ? piece : { parts: piece, holds: false }
  })
  return { parts: written.flatMap(({ parts }) => parts), holds: written.some(({ holds }) => holds) }
}

function chain(
  { commands, operators }: { readonly commands: readonly PipelineNode[]; readonly operators: readonly string[] },
  input: Input,
  walk: Walk,
): Written {
  return write(
    ...commands.flatMap((each, at) => [at === 0 ? '' : ` ${operators[at - 1]} `, pipeline(each, input, walk)]),
  )
}

/** What a command of a pipe writes, the next one reads. */
function pipeline(node: PipelineNode, input: Input, walk: Walk): Written {
  if (node.type !== 'Pipeline') return command(node, input, walk)
  const { commands, operators } = node
  let flowing = input
  const pieces: Piece[] = [prefixes(node, walk)]
  for (const [at, each] of commands.entries()) {
    const written = command(each, flowing, walk)
    pieces.push(at === 0 ? '' : ` ${operators[at - 1]} `, written)
    flowing = written.holds || holdsInput(flowing) ? 'piped' : 'foreign'
  }
  return write(...pieces)
}

function prefixes({ prefixes: words }: Pipeline, walk: Walk): string {
  const written = words.map((word) => {
    if (word.type === 'Negation') return '! '
    if (word.posix !== undefined || word.endOfOptions !== undefined) walk.refuse(unnamed('time with options'), word.pos)
    return 'time '
  })
  return written.join('')
}

function command(node: CommandNode, input: Input, around: Walk): Written {
  const walk: Walk = { ...around, input }
  switch (node.type) {
    case 'Command':
      return writeCommand(node, walk)
    case 'Subshell':
      return write('( ', writeList(node.body.commands, input, walk), ')')
    case 'BraceGroup':
      return write('{ ', writeList(node.body.commands, input, walk), '}')
    case 'If':
      return conditional(node, input, walk)
    case 'While':
      return repeated(node, input, walk)
    case 'For':
      return loop(node, input, walk)
    case 'Case':
      return choice(node, input, walk)
    case 'Function':
      return define(node, walk)
    case 'TestCommand':
      return write('[[ ', writeTest(node.expression, walk), ' ]]')
    case 'ArithmeticCommand':
      if (node.expression === undefined) walk.refuse(REFUSED.arithmetic, node.pos)
      return write('(( ', node.expression === undefined ? '0' : writeArithmetic(node.expression, walk), ' ))')
    case 'ArithmeticFor': {
      const [first, test, next] = [node.initialize, node.test, node.update].map((each) =>
        each === undefined ? [] : writeArithmetic(each, walk),
      )
      const body = writeList(node.body.commands, input, walk)
      return write('for (( ', first ?? [], ' ; ', test ?? [], ' ; ', next ?? [], ' )); do\n', body, 'done')
    }
    case 'Redirected': {
      const redirections = node.redirects.map((each) => writeRedirection(each, walk))
      const reads = redirections.some(
        ({ document, source }) => document?.holds === true || source?.holds === true || isTold(source, walk),
      )
      const written = command(node.command, reads ? 'piped' : input, walk)
      const content = written.holds ? 'value' : 'unknown'
      for (const { target } of redirections) noteTarget(target, content, node.pos, walk)
      return write(written, ...redirections.map(({ parts }) => parts))
    }
    default:
      walk.refuse(unnamed(node.type.toLowerCase()), node.pos)
      return write(':')
  }
}

function body({ commands }: CompoundList, input: Input, walk: Walk): Written {
  return writeList(commands, input, walk)
}

function conditional(node: If, input: Input, walk: Walk): Written {
  const more = node.elif.flatMap((each) => [
    'elif ',
    body(each.clause, input, walk),
    'then\n',
    body(each.then, input, walk),
  ])
  const last = node.else === undefined ? [] : ['else\n', body(node.else, input, walk)]
  return write('if ', body(node.clause, input, walk), 'then\n', body(node.then, input, walk), ...more, ...last, 'fi')
}

/** In `… | while read line`, the loop takes what the pipe brings, line by line. */
function repeated(node: While, input: Input, walk: Walk): Written {
  const reads = node.clause.commands.some(({ command: each }) => each.type === 'Command' && each.name?.text === 'read')
  const inner = input === 'piped' && reads ? 'loop' : input
  return write(`${node.kind} `, body(node.clause, input, walk), 'do\n', body(node.body, inner, walk), 'done')
}

function loop(node: For, input: Input, walk: Walk): Written {
  const words = node.wordlist?.map((word) => writeListed(word, walk))
  const holds = words?.some((word) => word.holds) ?? walk.facts.has('holds', '@')
  const isNumber = words?.every((word) => word.isNumber) ?? false
  const guess = words?.length === 1 ? (words[0]?.guess ?? '*') : '*'
  giveName(node.name.text, { holds, isNumber, guess }, node.pos, walk)
  const list = words === undefined ? '' : [textPart(' in'), ...words.flatMap(({ parts }) => [textPart(' '), ...parts])]
  const name = walk.marked.isIn(node.name.text) ? 'x' : node.name.text
  return write(`for ${name}`, list, '\ndo\n', body(node.body, input, walk), 'done')
}

function choice(node: Case, input: Input, walk: Walk): Written {
  const items = node.items.flatMap(({ pattern, body: commands, terminator, pos }) => {
    const words = pattern.map((word) => writeWord(word, walk))
    if (words.some(({ holds }) => holds)) walk.refuse(REFUSED.pattern, pos)
    const patterns = words.flatMap(({ parts }, at) => [...(at === 0 ? [] : [textPart(' | ')]), ...parts])
    return ['( ', patterns, ' )\n', body(commands, input, walk), `${terminator ?? ';;'}\n`]
  })
  return write('case ', writeWord(node.word, walk), ' in\n', ...items, 'esac')
}

function define(node: FunctionNode, walk: Walk): Written {
  const name = node.name.text
  if (!/^[A-Za-z_][\w-]*$/.test(name) || walk.marked.isIn(name) || isKnownName(name)) {
    walk.refuse(REFUSED.function, node.pos)
    return write(':')
  }
  walk.facts.add('function', name)
  if (node.body.type === 'CompoundList') {
    walk.refuse(REFUSED.function, node.pos)
    return write(':')
  }
  const foreign = walk.facts.has('script', 'foreign') ? 'foreign' : 'own'
  const inner = command(node.body, walk.facts.has('script', 'input') ? 'piped' : foreign, walk)
  return write(`${name} () `, inner)
}
