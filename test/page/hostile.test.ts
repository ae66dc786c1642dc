import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call } from '../support/http.ts'
import { describePage, findNoOverflow, VIEWS } from './support/browser.ts'
import { PagePlace } from './support/place.ts'

const ATTACKS = [
  '<script>globalThis.hacked = 1</script>',
  '<img src=http://127.0.0.1:9/x onerror="globalThis.hacked = 1">',
  '<svg/onload="globalThis.hacked=1"><iframe srcdoc="<script>parent.hacked=1</script>">',
  '<style>*{display:none}</style><base href="http://127.0.0.1:9/"><meta http-equiv=refresh content="0;url=http://127.0.0.1:9/">',
  '[click](javascript:globalThis.hacked=1) [data](data:text/html,<script>hacked=1</script>)',
  '![pixel](http://127.0.0.1:9/pixel.png) <http://127.0.0.1:9/auto>',
  '"><input autofocus onfocus="globalThis.hacked=1">',
  '\u202eright to left \u2066isolated\u2069 \u200bzero\u200dwidth\ufeff',
  '\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u0008\u0008\u0008',
  `Z${'\u0301'.repeat(400)}algo`,
  '{{constructor.constructor("hacked=1")()}} ${hacked=1}',
  '> '.repeat(200),
  `${'['.repeat(2_000)}(x)`,
]
const LONG = 'M'.repeat(1_000_000)

describePage('an agent that attacks with every text it has', (browsers) => {
  const place = new PagePlace()
  const session = '<img src=x onerror=hacked=1> \u202e"\'/%2e'
  beforeAll(async () => {
    await place.start()
    const attack = ATTACKS.join('\n\n')
    const home = await place.agent('a@b.+-_x'.padEnd(128, 'x'))
    const id = 'a@b.+-_x'.padEnd(128, 'x')
    await place.turn(id, `say ${attack}`, session)
    await place.turn(id, `fail ${attack}`)
    await place.turn(id, `say ${LONG} end`)
    await place.turn(id, `say ${'\u202e'}${attack}`)
    const name = '<img src=x onerror=hacked=1>\u202e.md'
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, name), `---\ntitle: ${JSON.stringify(attack)}\n---\n# ${ATTACKS[0]}\n\n${attack}\n`)
    writeFileSync(join(home, 'long.md'), `# ${'T'.repeat(3_000)}\n\n${LONG.slice(0, 20_000)}\n`)
    await call(place.port, 'POST', '/exec', {
      headers: { 'X-Agent-Id': id },
      body: { cmd: `/open '${name}'`, topic: 'desk' },
    })
    await call(place.port, 'POST', '/exec', {
      headers: { 'X-Agent-Id': id },
      body: { cmd: '/open long.md', topic: 'long' },
    })
    await call(place.port, 'POST', '/exec', {
      headers: { 'X-Agent-Id': id },
      body: {
        cmd: `printf '\\033[2J\\033]0;x\\007<img src=x onerror=hacked=1>\\n%0.s${'W'.repeat(500)}' 1`,
        topic: 'bash:x',
      },
    })
    const { webhook_url } = await place.ask<{ webhook_url: string }>('GET', `/agents/${encodeURIComponent(id)}/webhook`)
    await fetch(webhook_url, { method: 'POST', body: `${attack}\u0000` })
    await fetch(webhook_url, { method: 'POST', body: LONG.slice(0, 60_000) })
    // It waits for an approval whose text attacks too.
    void place.turn(id, `ask ${attack}`, 'asks').catch(() => undefined)
  })
  afterAll(() => place.stop())

  it.each(VIEWS)('runs nothing, reaches nothing and breaks nothing at $width px', async (view) => {
    const context = await browsers.context(view)
    const page = await context.newPage()
    const foreign: string[] = []
    const problems: string[] = []
    context.on('request', (request) => {
      const { origin } = new URL(request.url())
      if (origin !== new URL(place.url).origin && !request.url().startsWith('data:image/svg'))
        foreign.push(request.url())
    })
    context.on('page', (other) => void (other === page || problems.push('a window opened')))
    page.on('dialog', (dialog) => {
      problems.push(dialog.message())
      void dialog.dismiss()
    })
    page.on('pageerror', ({ message }) => problems.push(message))
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    await page.goto(place.url)
    await page.getByText('live', { exact: true }).waitFor()
    const id = 'a@b.+-_x'.padEnd(128, 'x')
    const agent = `#/agents/${encodeURIComponent(id)}`
    const places: [hash: string, seen: string][] = [
      ['#/', 'xxxx'],
      [agent, 'onerror'],
      [`${agent}/sessions/${encodeURIComponent(session)}`, 'onerror'],
      [`${agent}/sessions/default`, 'onerror'],
      [`${agent}/topics/desk`, 'onerror'],
      [`${agent}/topics/long`, 'TTTT'],
      [`${agent}/topics/bash%3Ax`, 'onerror'],
      ['#/inbox', 'onerror'],
      ['#/approvals', 'onerror'],
      ['#/outbox', 'Outbox'],
      ['#/webhooks', 'xxxx'],
      ['#/system', 'System'],
    ]
    for (const [hash, seen] of places) {
      await page.goto(place.url + hash)
      await page.getByText(seen).first().waitFor()
      await pressEverythingHarmless(page)
      await findNoOverflow(page)
      expect(await inventory(page)).toEqual({ hacked: false, foreign: [], unsafe: [], hidden: 0 })
    }
    expect({ foreign, problems }).toEqual({ foreign: [], problems: [] })
  })
})

/** Unfolds what is folded, so that everything is drawn. */
async function pressEverythingHarmless(page: Page): Promise<void> {
  for (const button of await page.getByRole('button', { name: 'details' }).all()) await button.click()
  const more = page.getByRole('button', { name: 'Show more' }).first()
  if ((await more.count()) > 0) await more.click()
}

/** What must not be in the page, whatever its texts say. */
function inventory(page: Page) {
  return page.evaluate(() => {
    const HIDDEN = /[\u202a-\u202e\u2066-\u2069\u200b]|[^\n\t\P{Cc}]/u
    return {
      hacked: 'hacked' in globalThis,
      foreign: [
        ...document.querySelectorAll('img, iframe, object, embed, style, base, video, audio, svg, form[action]'),
      ].map(({ outerHTML }) => outerHTML.slice(0, 80)),
      unsafe: [...document.querySelectorAll('a[href]')]
        .filter((link) => {
          const href = link.getAttribute('href') ?? ''
          const isOwn = href.startsWith('#/')
          const leadsOut = /^(https?|mailto):/.test(href)
          return (
            !isOwn &&
            !(leadsOut && link.getAttribute('rel')?.includes('noopener') && link.getAttribute('target') === '_blank')
          )
        })
        .map(({ outerHTML }) => outerHTML.slice(0, 80)),
      // Nothing that changes the direction or cannot be seen is left in a text.
      hidden: Array.from(document.querySelector('main')?.innerText ?? '').filter((character) => HIDDEN.test(character))
        .length,
    }
  })
}
