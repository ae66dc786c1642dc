// A task list in the Markdown file that TASKS_FILE names: node tasks.mjs list|add|done|reopen|remove [ARGUMENT]
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

// What the system refuses is said in a line, not with a trace.
process.on('uncaughtException', ({ message }) => stop(message))

const TASK = /^- \[([ x])\] (.*)$/

const [verb = 'list', argument = ''] = process.argv.slice(2)
// Commands of a package run in its folder; what belongs to the agent lies in its home.
const { STRING_HOME = '.', TASKS_FILE = 'tasks.md' } = process.env
const file = resolve(STRING_HOME, TASKS_FILE)
const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : ['# Tasks', '']

const verbs = { list, add, done: () => tick('x'), reopen: () => tick(' '), remove }
if (!Object.hasOwn(verbs, verb)) stop(`Unknown: ${verb}`)
verbs[verb]()

function list() {
  const wanted = { open: ' ', done: 'x' }[argument]
  const rows = tasks().filter(({ mark }) => wanted === undefined || mark === wanted)
  console.log(rows.length === 0 ? 'No tasks.' : rows.map(show).join('\n'))
}

function add() {
  const text = argument.replace(/\s+/g, ' ').trim()
  if (text === '') stop('A task needs a text')
  while (lines.at(-1) === '') lines.pop()
  lines.push(...(lines.length === 1 ? [''] : []), `- [ ] ${text}`, '')
  save()
  console.log(`Added: ${show(tasks().at(-1))}`)
}

function tick(mark) {
  const task = find()
  lines[task.line] = `- [${mark}] ${task.text}`
  save()
  console.log(`${mark === 'x' ? 'Done' : 'Open again'}: ${show({ ...task, mark })}`)
}

function remove() {
  const task = find()
  lines.splice(task.line, 1)
  save()
  console.log(`Removed: ${task.text}`)
}

function tasks() {
  const found = lines.flatMap((text, line) => {
    const [, mark, what] = TASK.exec(text.trimEnd()) ?? []
    return mark === undefined ? [] : [{ line, mark, text: what }]
  })
  return found.map((task, index) => ({ ...task, number: index + 1 }))
}

function find() {
  const task = tasks().find(({ number }) => number === Number(argument))
  return task ?? stop(`There is no task ${argument}; there are ${tasks().length}`)
}

function show({ number, mark, text }) {
  return `${number}. [${mark}] ${text}`
}

/** The file is replaced as a whole, so that a reader never sees half of it. */
function save() {
  const temporary = `${file}.tmp-${process.pid}`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(temporary, lines.join('\n'))
  renameSync(temporary, file)
}

function stop(message) {
  console.log(message)
  process.exit(1)
}
