import { posix } from 'node:path'
import { nearest, quoted } from '@string-os/protocol'
import { insteadOfGiven, isGiven } from '../../action/bash/given-variables.ts'
import { startedFiles, startedPrograms } from '../../action/bash/started-files.ts'
import { type Compiled, readAction } from '../../action/declare/compile.ts'
import { type Declaration, judgeDeclaration } from '../../action/declare/declaration.ts'
import { type Mistake, mistakesIn, mistakesInFields } from '../../action/declare/mistakes.ts'
import { variablesNeeded, variablesOfDefaults, variablesWritten } from '../../action/declare/needed-variables.ts'
import { mistakesInResponse, variablesKeptBy } from '../../action/declare/response-mistakes.ts'
import { refusedInUrl } from '../../action/http/url.ts'
import type { ActionSource, Document } from '../../document/document.ts'
import { CONTEXT_NAMES } from '../use/package-powers.ts'
import { checkScript } from './check-script.ts'
import type { CheckedPackage } from './checked-package.ts'
import type { PackageProblem } from './package-problem.ts'

/** What would go wrong when an action is called; why one cannot be called at all is known already. */
export function checkAction(
  file: string,
  source: ActionSource,
  document: Document,
  whole: CheckedPackage,
): PackageProblem[] {
  if (source.part === 'response') return checkResponse(file, source, document, whole)
  // Of one that is refused, as much as can be read.
  const { declaration, fields } = judgeDeclaration(source)
  const inAction = findingIn(file, `Action ${source.id}`)
  if (declaration === null) return mistakesInFields(source, fields).map(inAction)
  const compiled = readAction(source)
  const responses = document.actions.filter(({ id, part }) => id === source.id && part === 'response')
  const written = responses.map(({ content }) => content).join('\n')
  const mistakes = mistakesIn(source, declaration, { response: written, variables: whole.listed ?? [] }).map(inAction)
  const inTemplate = compiled.ok ? variablesNeeded(compiled) : variablesWritten(declaration)
  const variables = [...inTemplate, ...variablesOfDefaults(declaration)]
  const own = { file, line: source.line }
  return [
    ...mistakes,
    ...unlistedOf(declaration, variables, whole).map((found) => ({ ...own, ...found })),
    ...misspeltPlaces(declaration).map((found) => ({ ...own, ...found })),
    ...scriptsOf(declaration, whole).map((found) => ({ ...own, ...found })),
    ...openOptions(declaration).map((found) => ({ ...own, ...found })),
    ...loopsOverTuples(declaration).map((found) => ({ ...own, ...found })),
    ...programsOf(declaration, whole, compiled.ok).map((found) => ({ ...own, ...found })),
    // Of one that is refused, another line is what is advised.
    ...(compiled.ok ? strangePaths(declaration).map((found) => ({ ...own, ...found })) : []),
    ...(compiled.ok ? uselessDefaults(compiled, whole).map((found) => ({ ...own, ...found })) : []),
  ]
}

function findingIn(file: string, whose: string): (mistake: Mistake) => PackageProblem {
  return ({ line, problem, next, isDoubt }) => {
    return { file, line, problem: `${whose}: ${problem}`, next, ...(isDoubt ? { isDoubt: true as const } : {}) }
  }
}

/** A response knows the fields of its action, and what any response of the package has kept in the topic. */
function checkResponse(
  file: string,
  source: ActionSource,
  { actions }: Document,
  { documents }: CheckedPackage,
): PackageProblem[] {
  const action = actions.find(({ id, part }) => id === source.id && part === 'action')
  const fields = action === undefined ? [] : judgeDeclaration(action).fields.map(({ name }) => name)
  const responses = [...documents.values()].flatMap((each) => each.actions.filter(({ part }) => part === 'response'))
  const known = [...fields, ...responses.flatMap(variablesKeptBy)]
  return mistakesInResponse(source, known).map(findingIn(file, `The response of action ${source.id}`))
}

type Found = Pick<PackageProblem, 'problem' | 'next' | 'isDoubt' | 'lacks'>

/** A variable that is not listed is never given, whoever sets it. */
function unlistedOf(
  { id, fields, template }: Declaration,
  variables: readonly string[],
  { listed, main }: CheckedPackage,
): Found[] {
  if (listed === null) return []
  const script = template.kind === 'cli' ? template.script : ''
  const shaped = fields.map(({ name }) => name).filter((name) => isShaped(name, script))
  const unlisted = [...new Set([...variables, ...shaped])].filter(
    (name) => !(listed.includes(name) || CONTEXT_NAMES.has(name)),
  )
  const close = (name: string): string => {
    const meant = nearest(name, listed)
    return meant === null ? 'A' : `Did you mean $${meant}? Else a`
  }
  return unlisted.map(
    (name) =>
      dashedName(name, { id, template }, listed, main) ??
      onlyInCommands(name, id) ??
      (fields.some((field) => field.name === name)
        ? {
            problem: `Action ${id} uses $${name}, which is a variable and not its field ${name}`,
            next: `Write {${name}}${template.kind === 'cli' ? flagOf(name) : ''}`,
          }
        : {
            problem: `Action ${id} uses $${name}, which env does not list: it would never get it`,
            next: `${close(name)}dd ${name} to env in the front matter of ${main}`,
          }),
  )
}

/** A field and a request are filled before there is a command, which alone has it. */
function onlyInCommands(name: string, id: string): Found | null {
  if (!isGiven(name)) return null
  const problem = `Action ${id} uses $${name} outside of a command: only commands have it, so that each call would fail`
  return { problem, next: insteadOfGiven(name) }
}

/** `$STRING_HOEM`: those that begin so come with the call, and one that does not is empty. */
function misspeltPlaces({ id, template }: Declaration): Found[] {
  if (template.kind !== 'cli') return []
  const names = new Set([...template.script.matchAll(/\$\{?(STRING_\w+)/g)].map(([, name = '']) => name))
  return [...names].flatMap((name) => {
    const close = CONTEXT_NAMES.has(name) ? null : nearest(name, [...CONTEXT_NAMES])
    if (close === null) return []
    return [{ problem: `Action ${id} uses $${name}, which nobody sets`, next: `Did you mean $${close}?` }]
  })
}

/** `$api-key`, of which only the first part is a name. */
function dashedName(
  name: string,
  { id, template }: Pick<Declaration, 'id' | 'template'>,
  listed: readonly string[],
  main: string,
): Found | null {
  const texts =
    template.kind === 'cli'
      ? [template.script]
      : [template.url, ...template.headers.map(([, value]) => value), template.body ?? '']
  const [whole] = new RegExp(`\\$${name}(?:-\\w+)+`).exec(texts.join('\n')) ?? []
  if (whole === undefined) return null
  const meant = whole.slice(1).replaceAll('-', '_')
  const problem = `Action ${id} uses ${whole}, which is $${name} with a text behind it: the name of a variable has no dash`
  const otherwise = `, or \${${name}}, and add that name to env in the front matter of ${main}`
  return { problem, next: `Write $${meant}${listed.includes(meant) ? '' : otherwise}` }
}

function flagOf(name: string): string {
  return `; a flag that the field turns on: [ {${name}} = true ] && set -- --${name}; ./program "$@"`
}

/** What a variable or a field is without anybody's doing, and its place in an address would always refuse. */
function uselessDefaults({ declaration, plan }: Compiled, { defaults, main }: CheckedPackage): Found[] {
  if (plan.kind === 'cli') return []
  const place = `, in env in the front matter of ${main}`
  const inEnv = [...defaults].map(
    ([name, value]) => ({ kind: 'variable', name, value, shown: `$${name}`, where: place }) as const,
  )
  // What a variable says is known when it runs.
  const inFields = declaration.fields.flatMap(({ name, fallback }) =>
    fallback === null || fallback.includes('$')
      ? []
      : [{ kind: 'field', name, value: fallback, shown: name, where: '' } as const],
  )
  return [...inEnv, ...inFields].flatMap((given) => {
    const refused = refusedInUrl(plan.url, given)
    if (refused === null) return []
    const problem = `Action ${declaration.id} refuses the default of ${given.shown}, ${quoted(given.value)}: ${refused.system}`
    return [{ problem, next: `${refused.hints.join('. ')}${given.where}` }]
  })
}

/** `${name:+--flag}` of a field: a variable with a default is not needed, and here is none. */
function isShaped(name: string, script: string): boolean {
  const isRead = new RegExp(`\\$\\{${name}:?[-+=?]`).test(script)
  return isRead && !new RegExp(`(?:^|[\\s;&|(])${name}=|\\bfor ${name}\\b|\\bread\\b.*\\b${name}\\b`, 'm').test(script)
}

/** Commands run in the folder of the package, so that what they start by a relative path is one of its files. */
function scriptsOf({ id, template }: Declaration, { files, seen }: CheckedPackage): Found[] {
  if (template.kind !== 'cli' || files.size === 0) return []
  return startedFiles(template.script).flatMap(({ path, isProgram }): Found[] => {
    const file = files.get(posix.normalize(path))
    const missing = { problem: `${path}, which is not in the package`, next: 'Give the path of a file of the package' }
    const wrong = file === undefined ? [missing] : isProgram ? checkScript(path, file, seen) : []
    return wrong.map((found) => ({ ...found, problem: `Action ${id} starts ${found.problem}` }))
  })
}

/** What shows changes has an option that writes them over any file; to most values it is no matter. */
function openOptions({ id, fields, template }: Declaration): Found[] {
  if (template.kind !== 'cli') return []
  return OPEN_CALLS.flatMap(({ call, valued, does, instead }) =>
    [...template.script.matchAll(call)].flatMap(([, called = '', words = '']): Found[] => {
      const [open = ''] = words.split(/(?:^|\s)(?:--|--end-of-options)(?=\s|$)/)
      const name = fields.find((field) => field.allowed === null && standsAlone(field.name, open, valued))?.name
      if (name === undefined) return []
      const problem = `Action ${id}: ${called} takes a value that begins with a dash for an option, and ${does}`
      return [{ problem, next: instead(called, name), isDoubt: true }]
    }),
  )
}

/** A word that is nothing but a field, and no value of the option before it. */
function standsAlone(name: string, words: string, valued: RegExp): boolean {
  const all = words.split(/\s+/)
  return all.some(
    (word, at) =>
      new RegExp(`^"?\\{${name}\\}`).test(word) && !(all[at - 1] !== undefined && valued.test(all[at - 1] ?? '')),
  )
}

interface OpenCall {
  /** The program with its verb, and the words behind it. */
  readonly call: RegExp
  /** Options whose value is the next word. */
  readonly valued: RegExp
  readonly does: string
  readonly instead: (called: string, name: string) => string
}

/** Programs that everybody knows, and what an option of theirs does that is no affair of a caller. */
const OPEN_CALLS: readonly OpenCall[] = [
  {
    call: /\b(git\s+(?:-C\s+\S+\s+)?(?:log|show|diff|format-patch))\s+([^|;&\n]*)/g,
    valued: /^(?!)$/,
    does: '--output=FILE writes over any file',
    instead: (called, name) => `Write ${called} --end-of-options {${name}}, or -- before it where it is a path`,
  },
  {
    call: /(?<![\w./-])(curl)\s+([^|;&\n]*)/g,
    valued:
      /^(?:-\w*[AbcCdDeEFhHKmoPQrtTuUwxXyYz]|--(?!silent|show-error|fail|location|compressed|insecure|include|head|get|no-)[\w-]+)$/,
    does: '-oFILE writes over any file',
    instead: (called, name) => `Write ${called} -- {${name}}, with its options before that`,
  },
  {
    call: /(?<![\w./-])((?:pip3?|python3? -m pip)\s+(?:install|download|wheel))\s+([^|;&\n]*)/g,
    valued: /^(?:-[rceitdf]|--(?!user|upgrade|quiet|pre|no-|break-system-packages)[\w-]+)$/,
    does: '--index-url takes packages, which run code, from anywhere',
    instead: (called, name) => `Write ${called} -- {${name}}, with its options before that`,
  },
]

/** A tuple is one argument, so that a loop over it goes round once. */
function loopsOverTuples({ id, fields, template }: Declaration): Found[] {
  if (template.kind !== 'cli') return []
  const { script } = template
  return fields.flatMap(({ name, type }): Found[] => {
    const [, item] = new RegExp(`\\bfor\\s+(\\w+)\\s+in\\s[^;\\n]*\\{${name}\\}`).exec(script) ?? []
    if (type !== 'tuple' || item === undefined) return []
    const problem = `Action ${id}: the loop over {${name}} goes round once: a tuple reaches a command as one argument, a,b`
    const next = `Write printf '%s\\n' {${name}} | tr , '\\n' | while read -r ${item}; do …; done`
    return [{ problem, next, isDoubt: true }]
  })
}

/** A path of the caller starts where the caller is, and commands run in the folder of the package. One with a default may be meant for that. */
function strangePaths({ id, fields, template }: Declaration): Found[] {
  if (template.kind !== 'cli' || /\$\{?(?:STRING_)?CWD\b/.test(template.script)) return []
  const paths = fields.filter(
    ({ name, type, fallback, allowed }) =>
      type === 'path' && fallback === null && allowed === null && template.script.includes(`{${name}}`),
  )
  const [path] = paths
  if (path === undefined) return []
  const first = template.script.split('\n').find((line) => line.trim() !== '') ?? ''
  return [
    {
      problem: `Action ${id} runs in the folder of the package: a relative path that its caller gives as ${path.name} is not found there`,
      next: `Begin it in the folder of the caller: CLI cd "$STRING_CWD" && ${first.trim()} (a script of the package is "$STRING_PACKAGE/…" then)`,
      isDoubt: true,
    },
  ]
}

/** Another machine may have them: it is told, no more. */
function programsOf({ id, template }: Declaration, { hasProgram }: CheckedPackage, isRun: boolean): Found[] {
  if (template.kind !== 'cli' || hasProgram === null) return []
  return startedPrograms(template.script).flatMap((name): Found[] => {
    if (hasProgram(name)) return []
    if (name === 'CLI')
      return [{ problem: `Action ${id} has two lines CLI, and a block has one`, next: NEXT_COMMAND, isDoubt: true }]
    const close = nearest(name, USUAL_PROGRAMS.filter(hasProgram))
    const meant = close === null ? '' : `Did you mean ${close}? Else s`
    const problem = `Action ${id} starts ${name}, which is no program on this machine`
    const next = `${meant === '' ? 'S' : meant}ay in its description that it is needed; a script of the package is ./${name}`
    return [{ problem, next, isDoubt: true, lacks: { program: name, isRun } }]
  })
}

const NEXT_COMMAND = 'Write the next command below it without CLI, or make an action of its own of it'

/** Of what is misspelt most, what may be meant. */
const USUAL_PROGRAMS = (
  'awk base64 basename bash cat chmod column comm cp curl cut date diff dirname docker du env expr file find git grep gzip head ' +
  'jq join ls make mkdir mktemp mv node npm nl paste perl ps python python3 rg rm rsync sed seq sh sleep sort split sqlite3 ssh ' +
  'stat tac tail tar tee touch tr uniq unzip wc wget xargs xxd zip'
).split(' ')
