// Keeps the record of an incident: node incident.mjs begin TITLE SEVERITY | note TEXT | finish TEXT | status
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const QUESTIONS = ['What happened?', 'What helped?', 'What will be changed, by whom, until when?']

// Commands of a package run in its folder; what belongs to the agent lies in its home.
const folder = join(process.env.STRING_HOME ?? '.', 'incidents')
const [verb = 'status', text = '', severity = ''] = process.argv.slice(2)

const verbs = { begin, note, finish, status }
if (!Object.hasOwn(verbs, verb)) stop(`Unknown: ${verb}`)
verbs[verb]()

function begin() {
  const open = current()
  if (open !== null) stop(`There is an open record already: ~/incidents/${open}`)
  mkdirSync(folder, { recursive: true })
  const slug =
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 40) || 'incident'
  const name = `${now().slice(0, 10)}-${slug}.md`
  if (existsSync(join(folder, name))) stop(`There is a record of that name already: ~/incidents/${name}`)
  writeFileSync(join(folder, name), `# ${oneLine(text)}\n\nSeverity ${severity}, open\n\n## Log\n\n- ${now()} begun\n`)
  console.log(`Begun: ~/incidents/${name}`)
}

function note() {
  const name = openRecord()
  appendFileSync(join(folder, name), `- ${now()} ${oneLine(text)}\n`)
  console.log(`Noted in ~/incidents/${name}`)
}

function finish() {
  const name = openRecord()
  const path = join(folder, name)
  const log = readFileSync(path, 'utf8').replace(/^(Severity \d+), open$/m, '$1, closed')
  const questions = QUESTIONS.map((question) => `### ${question}\n\n`).join('\n')
  writeFileSync(path, `${log}- ${now()} closed: ${oneLine(text)}\n\n## Review\n\n${questions}`)
  console.log(`Closed: ~/incidents/${name}\nAnswer the questions under Review: /edit ~/incidents/${name}#review`)
}

function status() {
  const name = current()
  console.log(
    name === null
      ? 'No incident is open.'
      : `Open: ~/incidents/${name}\n\n${readFileSync(join(folder, name), 'utf8').trimEnd()}`,
  )
}

function openRecord() {
  const name = current()
  if (name === null) stop('There is no open record. /act.begin "What is wrong" begins one.')
  return String(name)
}

/** The record that is not closed; the newest, should there be several. */
function current() {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md')) : []
  const isOpen = (name) => /^Severity \d+, open$/m.test(readFileSync(join(folder, name), 'utf8'))
  return names.sort().reverse().find(isOpen) ?? null
}

function now() {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z')
}

function oneLine(value) {
  return value.replace(/\s+/g, ' ').trim()
}

function stop(message) {
  console.log(message)
  process.exit(1)
}
