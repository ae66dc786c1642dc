import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { ChanFlowReply } from '@string-os/protocol'
import { expect, it, onTestFinished } from 'vitest'
import { type Place, stringPlace } from '../support/cli.ts'
import { call } from '../support/http.ts'

const app = (origin: string): string => `---
name: weather
env:
  - WEATHER_KEY: "Key of the weather service"
---
# Weather

\`\`\`act.search_city
GET ${origin}/search -H "Authorization: Bearer $WEATHER_KEY"
  name, -n: string (required) "City name"
\`\`\`

\`\`\`act.search_city.response
{city} = {Response.body.cities[0].id}
for: each in Response.body.cities
{@city} = {each.id}
- {each.name} ({each.country}): {@city}
end:
\`\`\`

\`\`\`act.get_forecast
GET ${origin}/forecast/{city}
  city, -c: string (required) "Id of a city"
\`\`\`

\`\`\`act.get_forecast.response
{Response.body.city}: {Response.body.sky}
\`\`\`
`

/** The service that the app is a front end to; `asked` holds what arrived. */
async function startWeather(): Promise<{ origin: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer(({ url = '', headers: { authorization = '(no key)' } }, response) => {
    asked.push(`${url} ${authorization}`)
    const cities = [
      { id: 'kr 1/2', name: 'Seoul', country: 'KR' },
      { id: 'us-9', name: 'Seoul', country: 'US' },
    ]
    const found: Record<string, object> = {
      '/search?name=Seoul': { cities },
      '/forecast/kr%201%2F2': { city: 'Seoul', sky: 'clear </𝒞>' },
      '/forecast/us-9': { city: 'Seoul', sky: 'rain' },
    }
    const body = found[url]
    response.writeHead(body === undefined ? 404 : 200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(body ?? { error: 'no such city' }))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

type Say = (place: Place, text: string) => Promise<string>

const surfaces: [name: string, say: Say][] = [
  [
    'POST /chanflow',
    async ({ dataDir }, text) => {
      const { port } = JSON.parse(readFileSync(join(dataDir, 'daemon.json'), 'utf8')) as { port: number }
      const { json } = await call(port, 'POST', '/chanflow', { headers: { 'X-Agent-Id': 'default' }, body: { text } })
      return (json as ChanFlowReply).text
    },
  ],
  ['string chanflow', async (place, text) => (await place.string(['chanflow'], { input: text })).stdout],
]

const block = (topic: string, payload: string): string => `<𝒞=string:${topic}>${payload}</𝒞>`

/** The payloads of the replies, each with its topic. */
function repliesIn(text: string): string[] {
  const replies = text.matchAll(/^<𝒞=string:(\S+) time="[^"]+">\n([\s\S]*?)\n<\/𝒞>$/gm)
  return [...replies].map(([, topic = '', payload = '']) => `${topic} ${payload}`)
}

it.each(surfaces)('app:weather:korea over %s: one turn stores {city}, a later one uses it', async (_name, say) => {
  const place = stringPlace()
  const { origin, asked } = await startWeather()
  const home = join(place.dir, 'string/agents/default')
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'weather.md'), app(origin))
  await place.string(['/info'])
  const korea = 'app:weather:korea'
  const turn = async (...blocks: string[]): Promise<string[]> => repliesIn(await say(place, blocks.join('\n')))
  const forecast = block(korea, '/act.get_forecast --city {city}')

  expect(await turn(block('main', '/install weather.md'))).toEqual([
    expect.stringMatching(/^main ✓ Installed app:weather\n\nFrom: weather\.md \(1 file, \d+ bytes\)\n/),
  ])
  expect(await turn(forecast)).toEqual([expect.stringContaining(`${korea} ✗ UNDEFINED_VARIABLE: `)])
  expect(await turn(block(korea, '/act.search_city --name "Seoul"'))).toEqual([
    `${korea} ✗ ENV_REQUIRED: $WEATHER_KEY is not set: Key of the weather service\n  /set $WEATHER_KEY = "value" in the topic app:weather, or in main for all`,
  ])
  expect(await turn(block(korea, '/set $WEATHER_KEY = "k0r3a-key"'))).toEqual([`${korea} ✓ $WEATHER_KEY = (set)`])
  expect(await turn(block(korea, '/act.search_city --name "Seoul"'))).toEqual([
    `${korea} - Seoul (KR): @city-1\n- Seoul (US): @city-2`,
  ])
  expect(await turn(block('main', '/info'), block('app:weather:japan', '/set'))).toEqual([
    expect.stringMatching(/^main /),
    'app:weather:japan $WEATHER_KEY: not set',
  ])
  expect(await turn(forecast)).toEqual([`${korea} Seoul: clear <\\/𝒞>`])
  expect(await turn(block(korea, '/act.get_forecast @city-2'))).toEqual([`${korea} Seoul: rain`])
  expect(await turn(block('app:weather:japan', '/act.get_forecast --city {city}'))).toEqual([
    expect.stringContaining('app:weather:japan ✗ UNDEFINED_VARIABLE: '),
  ])
  expect(await turn(block(korea, '/close'), forecast)).toEqual([
    `${korea} ✓ Closed: ${korea}`,
    expect.stringContaining(`${korea} ✗ UNDEFINED_VARIABLE: `),
  ])
  expect(asked).toEqual([
    '/search?name=Seoul Bearer k0r3a-key',
    '/forecast/kr%201%2F2 (no key)',
    '/forecast/us-9 (no key)',
  ])
})
