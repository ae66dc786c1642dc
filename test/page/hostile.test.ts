import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Attacker, attackEverywhere } from './support/attacks.ts'
import { describePage, findNoOverflow, VIEWS } from './support/browser.ts'
import { PagePlace } from './support/place.ts'

describePage('an agent that attacks with every text it has', (browsers) => {
  const place = new PagePlace()
  let attacker: Attacker
  beforeAll(async () => {
    await place.start()
    attacker = await attackEverywhere(place)
  })
  afterAll(async () => {
    attacker.stop()
    await place.stop()
  })

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
      // That something is not there, or cannot be, is answered, and said by the browser too.
      if (message.type() === 'error' && !/status of 40[04]/.test(message.text())) problems.push(message.text())
    })
    await page.goto(place.url)
    await page.getByText('live', { exact: true }).waitFor()
    const { id, session, broken, worker, turn } = attacker
    const agent = `#/agents/${encodeURIComponent(id)}`
    const places: [hash: string, seen: string, act?: (page: Page) => Promise<void>][] = [
      ['#/', 'xxxx', search],
      [agent, 'onerror'],
      [`${agent}/sessions/${encodeURIComponent(session)}`, 'onerror'],
      [`${agent}/sessions/default`, 'onerror', unfold],
      [`${agent}/sessions/drips`, 'onerror'],
      [`${agent}/topics/desk`, 'onerror', offer],
      [`${agent}/topics/long`, 'TTTT'],
      [`${agent}/topics/bash%3Ax`, 'onerror'],
      [`${agent}/topics/bash%3Ahere`, 'onerror'],
      [`#/agents/${broken}`, 'onerror'],
      [`#/agents/${worker}/turns/${turn}`, 'onerror', unfold],
      ['#/inbox', 'onerror', openFirst],
      ['#/approvals', 'onerror', openFirst],
      ['#/outbox', 'onerror', openFirst],
      ['#/webhooks', 'xxxx'],
      ['#/system', 'onerror'],
      [`#/agents/${encodeURIComponent(session)}`, 'could not be loaded'],
      [`#/agents/${encodeURIComponent(session)}/topics/x`, 'There is no such agent'],
      [`#/inbox/${encodeURIComponent(session)}`, 'could not be loaded'],
      [`#/${encodeURIComponent(session)}`, 'There is no such place'],
    ]
    for (const [hash, seen, act] of places) {
      await page.goto(place.url + hash)
      await page.locator('main').getByText(seen).first().waitFor()
      await act?.(page)
      await findNoOverflow(page)
      expect(await inventory(page), hash).toEqual({ hacked: false, foreign: [], unsafe: [], hidden: [] })
      await page.keyboard.press('Escape')
    }
    expect({ foreign, problems }).toEqual({ foreign: [], problems: [] })
  })
})

/** Unfolds what is folded, so that everything is drawn. */
async function unfold(page: Page): Promise<void> {
  await page.locator('.turn > footer').first().waitFor()
  const more = page.getByRole('button', { name: 'Show more' }).first()
  if ((await more.count()) > 0) await more.click()
  // One that is pressed is called otherwise from then on.
  for (const details = page.getByRole('button', { name: 'details', exact: true }); (await details.count()) > 0; )
    await details.first().click()
  await page.locator('.steps .facts').first().waitFor()
  for (const folded = page.locator('details:not([open]) > summary'); (await folded.count()) > 0; )
    await folded.first().click()
}

/** A row with everything about it. */
async function openFirst(page: Page): Promise<void> {
  await page.locator('.rows [data-row]').first().click()
  await page.locator('.detail').first().waitFor()
}

/** What may be typed in a topic, and the form of an action. */
async function offer(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Command in' }).fill('/open ')
  await page.getByRole('option').first().waitFor()
  await page.getByRole('button', { name: 'greet' }).click()
  await page.getByRole('dialog').waitFor()
}

async function search(page: Page): Promise<void> {
  await page.keyboard.press('/')
  await page.getByRole('option').first().waitFor()
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
      // Nothing that changes the direction or cannot be seen is left in a text, or in what is read out.
      hidden: [
        document.title,
        document.body.innerText,
        ...[...document.querySelectorAll('[title], [aria-label]')].map(
          (each) => `${each.getAttribute('title') ?? ''}${each.getAttribute('aria-label') ?? ''}`,
        ),
      ]
        .filter((text) => HIDDEN.test(text))
        .map((text) => text.slice(Math.max(0, text.search(HIDDEN) - 80), text.search(HIDDEN) + 80)),
    }
  })
}
