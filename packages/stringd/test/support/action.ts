import { writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { join } from 'node:path'
import { type ExecReply, exec } from '../../../../test/support/http.ts'
import { type PageServer, startServer } from '../web/page-server.ts'
import { startTestDaemon, type TestDaemon } from './daemon.ts'

/** A request as it arrived at the service. */
export interface Arrived {
  readonly method: string
  readonly path: string
  readonly query: [string, string][]
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Service extends PageServer {
  readonly arrived: Arrived[]
}

/** A service on loopback that remembers what arrived and answers with it, or as `answer` says. */
export async function startService(answer?: RequestListener): Promise<Service> {
  const arrived: Arrived[] = []
  const server = await startServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://service')
      const seen = {
        method: request.method ?? '',
        path: pathname,
        query: [...searchParams],
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      }
      arrived.push(seen)
      if (answer !== undefined) return answer(request, response)
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(seen))
    })
  })
  return { ...server, arrived }
}

export interface ActionDaemon extends TestDaemon {
  readonly run: (command: string) => Promise<ExecReply>
}

/** A daemon in which a workspace file with these blocks is open. */
export async function openWith(document: string): Promise<ActionDaemon> {
  const daemon = await startTestDaemon()
  writeFileSync(join(daemon.home, 'doc.md'), document)
  await exec(daemon.port, '/open doc.md')
  return { ...daemon, run: (command) => exec(daemon.port, command) }
}

/** A document with one action, and perhaps the template of its answer. */
export function action(declaration: string, response?: string): string {
  const template = response === undefined ? '' : `\n\`\`\`act.go.response\n${response}\n\`\`\`\n`
  return `# Test\n\n\`\`\`act.go\n${declaration}\n\`\`\`\n${template}`
}
