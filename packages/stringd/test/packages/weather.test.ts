import { describe, expect, it } from 'vitest'
import { appPlace } from '../support/app-place.ts'
import { startServer } from '../web/page-server.ts'

const app = (origin: string): string => `---
title: Weather
name: weather
env:
  - API_KEY: "Key of the weather service"
---
# Weather

\`\`\`act.search_city
GET ${origin}/search -H "Authorization: Bearer $API_KEY"
  name, -n: string (required) "City name"
\`\`\`

\`\`\`act.search_city.response
{city} = {Response.body.cities[0].id}
for: each in Response.body.cities
{@city} = {each.id}
- {each.name} ({each.country})
end:
\`\`\`

\`\`\`act.get_forecast
GET ${origin}/forecast/{city}
  city, -c: string (required) "Id of a city"
  unit: string (celsius|fahrenheit) "Unit" = "celsius"
\`\`\`

\`\`\`act.get_forecast.response
{Response.body.city}: {Response.body.temperature} degrees {unit}
\`\`\`
`

describe('app:weather:korea, the example of the message format', () => {
  it('stores {city} in one turn and uses it in a later one', async () => {
    const { reply, run, put } = await appPlace()
    const { origin, requests } = await startServer(({ url = '', headers }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
      const json = (status: number, body: object): void =>
        void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
      if (pathname === '/search' && headers.authorization !== 'Bearer k0rea-key') return json(401, { error: 'no key' })
      if (pathname === '/search' && searchParams.get('name') === 'Seoul')
        return json(200, {
          cities: [
            { id: 'kr/1', name: 'Seoul', country: 'KR' },
            { id: 'us/7', name: 'Seoul', country: 'US' },
          ],
        })
      if (pathname === '/forecast/kr%2F1')
        return json(200, { city: 'Seoul', temperature: 21, unit: searchParams.get('unit') })
      json(404, { error: 'no such city' })
    })
    put({ 'weather.md': app(origin) })
    const topic = 'app:weather:korea'
    expect(await reply('/install weather.md')).toContain('- $API_KEY (Key of the weather service) · not set')
    expect(await reply('/act.search_city --name "Seoul"', topic)).toContain(
      'ERROR(ENV_REQUIRED): $API_KEY is not set: Key of the weather service',
    )
    expect(await reply('/set $API_KEY = "k0rea-key"', topic)).toBe('$API_KEY = (set)')
    expect(await reply('/act.search_city --name "Seoul"', topic)).toBe('- Seoul (KR)\n- Seoul (US)')
    expect(await reply('/info', 'main')).not.toContain('{city}')
    expect(await reply('/act.get_forecast --city {city}', topic)).toBe('Seoul: 21 degrees celsius')
    expect(await reply('/act.get_forecast @city-1 --unit fahrenheit', topic)).toBe('Seoul: 21 degrees fahrenheit')
    expect(await reply('/act.get_forecast @city-2', topic)).toContain('ERROR(ACTION_FAILED)')
    expect(await reply('/act.get_forecast --city {city}', 'app:weather:japan')).toContain('ERROR(UNDEFINED_VARIABLE)')
    expect((await run('/act.search_city Seoul', 'app:weather:japan')).head.code).toBe('ENV_REQUIRED')
    await reply('/close', topic)
    expect(await reply('/act.get_forecast --city {city}', topic)).toContain('ERROR(UNDEFINED_VARIABLE)')
    expect(requests.map(({ url }) => url)).toContain('/forecast/kr%2F1?unit=celsius')
  })
})
