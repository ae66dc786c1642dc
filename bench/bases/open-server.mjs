// Reads a file for every request and answers with three events that hold it.
import { readFileSync } from 'node:fs'
import { serve } from './serve.mjs'

const { headers, text, file } = JSON.parse(process.argv[2])
const [head, content] = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data))
const prefix = content.slice(0, content.indexOf('\n---\n') + '\n---\n'.length)

serve(headers, () => {
  const shown = prefix + readFileSync(file, 'utf8')
  return `${event('head', head)}${event('content', shown)}${event('done', {})}`
})

function event(name, data) {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
