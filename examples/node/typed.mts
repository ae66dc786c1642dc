// The same client in strict TypeScript: what a command says as fields has the types of that command.
import { type ExecResult, StringClient, type TurnEvent } from '@string-os/client'

const client = new StringClient()

// The name of the command decides what `data` is. It is null where a command failed, so ask for it with `?.`.
const files = await client.exec('files', '/ls .', { cwd: process.cwd() })
const sizes = files.data?.entries.map(({ name, bytes }) => `${name} ${bytes ?? '-'}`) ?? []
console.log(files.ok, sizes.length > 0)

// In a bash topic everything that is typed is a shell command.
const build = await client.exec('bash:build', 'exit_with() { return "$1"; }; exit_with 3')
const status: number | null = build.data?.exit ?? null
console.log(build.code, status)

// A command that is only known when the program runs has any JSON object.
console.log(firstLine(await client.exec('files', process.argv[3] ?? '/help limits')))

function firstLine({ ok, code, content }: ExecResult): string {
  return ok ? (content.split('\n')[0] ?? '') : `${code}`
}

/** Each kind of event has its own fields, told by `type`. */
function told(event: TurnEvent): string | null {
  switch (event.type) {
    case 'partial':
      return `partial: ${event.text}`
    case 'result':
      return `reply: ${event.ok ? event.reply : event.error}`
    default:
      return null
  }
}

for (const agent of process.argv.slice(2, 3)) {
  for await (const event of new StringClient({ agent }).turn('hello', { from: 'ada' })) {
    const line = told(event)
    if (line !== null) console.log(line)
  }
}
