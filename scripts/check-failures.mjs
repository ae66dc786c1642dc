// Checks that what can fail in packages/*/src is told by `.ok` and by nothing else, with the types that tsc sees.
// The compiler's interface for programs is not stable yet: package.json names one version of it.
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SyntaxKind } from 'typescript/unstable/ast'
import { API, TypeFlags } from 'typescript/unstable/sync'

const RULES = {
  told: 'a failure is told by .ok, not by what it looks like',
  mixed: 'beside a failure everything has { ok: true, … }',
  fields: 'the members of a union are told by ok or kind, not by the fields they have',
}

const JSON_RPC = 'JSON-RPC tells its messages by the fields they have'

/** Where a rule does not hold: a file or folder of packages/, and why. An entry that nothing needs is a mistake too. */
const ALLOWED = [
  ['stringd/src/mcp/answer.ts', 'fields', JSON_RPC],
  ['stringd/src/mcp/exchange.ts', 'fields', JSON_RPC],
  ['stringd/src/mcp/line-transport.ts', 'fields', JSON_RPC],
  ['stringd/src/mcp/message.ts', 'fields', JSON_RPC],
  ['stringd/src/action/bash/write/statement.ts', 'fields', 'text, its parts or what was written: none is a failure'],
]

const NOTHING = TypeFlags.Null | TypeFlags.Undefined | TypeFlags.Void | TypeFlags.Never
const root = fileURLToPath(new URL('..', import.meta.url))
const api = new API({ cwd: root })
const configs = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name, 'tsconfig.json'))
const checked = configs.flatMap((config) => {
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
  return project.rootFiles.map((file) => ({ file, found: breachesIn(file, project) }))
})
api.close()

const breaches = checked.flatMap(({ found }) => found)
const isAllowed = ([path, rule], breach) => breach.rule === rule && breach.file.startsWith(`packages/${path}`)
const complaints = [
  ...breaches
    .filter((breach) => !ALLOWED.some((entry) => isAllowed(entry, breach)))
    .map(({ file, line, text, rule }) => `${file}:${line} ${text}\n  ${rule}: ${RULES[rule]}`),
  ...ALLOWED.filter((entry) => !breaches.some((breach) => isAllowed(entry, breach))).map(
    ([path, rule]) =>
      `scripts/check-failures.mjs: packages/${path}\n  ${rule}: nothing there needs to be allowed any more`,
  ),
]

for (const complaint of complaints) console.error(complaint)
console.log(`${checked.length} sources, ${complaints.length} complaints`)
if (complaints.length > 0 || checked.length === 0) process.exitCode = 1

function breachesIn(file, { program, checker }) {
  const source = program.getSourceFile(file)
  const places = placesIn(source)
  const types = places.length === 0 ? [] : checker.getTypeAtLocation(places.map(({ operand }) => operand))
  return places.flatMap(({ node, what }, index) => {
    const rule = ruleBroken(what, membersOf(types[index], checker), checker)
    if (rule === null) return []
    const line = source.text.slice(0, node.getStart(source)).split('\n').length
    return [{ file: relative(root, file), line, text: node.getText(source).replace(/\s+/g, ' '), rule }]
  })
}

/** Where a type is written as a union, and where a value is looked at to find out what it is. */
function placesIn(source) {
  const places = []
  const visit = (node) => {
    const operator = node.kind === SyntaxKind.BinaryExpression ? node.operatorToken.kind : null
    if (node.kind === SyntaxKind.UnionType) places.push({ node, operand: node, what: 'union' })
    if (operator === SyntaxKind.InKeyword) places.push({ node, operand: node.right, what: 'in' })
    if (operator === SyntaxKind.InstanceOfKeyword) places.push({ node, operand: node.left, what: 'look' })
    if (node.kind === SyntaxKind.TypeOfExpression) places.push({ node, operand: node.expression, what: 'look' })
    if (
      node.kind === SyntaxKind.CallExpression &&
      /^(Array\.isArray|Object\.hasOwn)$/.test(node.expression.getText(source))
    )
      places.push({ node, operand: node.arguments[0], what: 'look' })
    node.forEachChild(visit)
  }
  visit(source)
  return places
}

function ruleBroken(what, members, checker) {
  const oks = members.map((member) => okOf(member, checker))
  if (!oks.includes('false')) return what === 'in' && members.length > 1 ? 'fields' : null
  if (what !== 'union') return 'told'
  return oks.every((ok) => ok === 'true' || ok === 'false' || ok === 'boolean') ? null : 'mixed'
}

/** The members of a union, or the one type; null and the like are told by themselves, and a promise is of what it brings. */
function membersOf(type, checker) {
  const members = type.flags & TypeFlags.Union ? type.getTypes() : [type]
  return members
    .filter(({ flags }) => (flags & NOTHING) === 0)
    .flatMap((member) => {
      const bound = member.flags & TypeFlags.TypeParameter ? checker.getBaseConstraintOfType(member) : undefined
      if (bound !== undefined && bound.id !== member.id) return membersOf(bound, checker)
      const isPromise = member.flags & TypeFlags.Object && member.getSymbol()?.name === 'Promise'
      return isPromise ? checker.getTypeArguments(member).flatMap((inner) => membersOf(inner, checker)) : [member]
    })
}

function okOf(type, checker) {
  if ((type.flags & (TypeFlags.Object | TypeFlags.Intersection)) === 0) return null
  const property = checker.getPropertyOfType(type, 'ok')
  return property === undefined ? null : checker.typeToString(checker.getTypeOfSymbol(property))
}
