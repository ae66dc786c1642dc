import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describePage } from './support/browser.ts'
import { PagePlace } from './support/place.ts'

/** Where the focus is, as a screen reader would say it. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '')

describePage('with the keyboard alone', (browsers) => {
  const place = new PagePlace()
  beforeAll(() => place.start())
  afterAll(() => place.stop())

  it('everything can be done', async () => {
    const home = await place.agent('ada')
    writeFileSync(join(home, 'notes.md'), '# My notes\n\nSome.\n')
    await place.agent('bob')
    const page = await browsers.page()
    const { keyboard } = page
    await page.goto(place.url)
    await page.getByRole('link', { name: 'ada' }).first().waitFor()

    // The keys tell themselves.
    await keyboard.press('?')
    await page.getByRole('dialog').getByText('Row before').waitFor()
    await keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    // Rows: down, down, up, and in.
    await keyboard.press('j')
    await keyboard.press('j')
    expect(await focused(page)).toContain('bob')
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle)
    expect(outline).toBe('solid')
    await keyboard.press('k')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'ada' }).waitFor()

    // A message, and its answer.
    await keyboard.press('c')
    await keyboard.type('say hello keys')
    await keyboard.press('Enter')
    await page.locator('.reply').getByText('hello keys').waitFor()
    await keyboard.press('Escape')

    // A turn that runs is stopped.
    await keyboard.press('c')
    await keyboard.type('hold')
    await keyboard.press('Enter')
    await page.getByText('word1').waitFor()
    await keyboard.press('Escape')
    await keyboard.press('.')
    await page.getByText('cancelled').first().waitFor()

    // A topic, a document in it.
    await keyboard.press('t')
    await keyboard.type('desk')
    await keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Command in desk' }).waitFor()
    await keyboard.press('c')
    await keyboard.type('/open notes.md')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'My notes' }).waitFor()
    await keyboard.press('Escape')
    await keyboard.press('Escape')

    // Somewhere else, by name.
    await keyboard.press('/')
    await keyboard.type('bo')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'bob' }).waitFor()

    // An approval is allowed, another denied.
    await keyboard.press('c')
    await keyboard.type('ask make clean')
    await keyboard.press('Enter')
    await page.getByRole('link', { name: '1 waiting for you' }).waitFor()
    await keyboard.press('Escape')
    await keyboard.press('g')
    await keyboard.press('p')
    // The page of the agent shows the question too: what is pressed there would not be an answer.
    await page.getByRole('heading', { name: 'Waits for you' }).waitFor()
    await page.getByRole('article').getByText('make clean').waitFor()
    await keyboard.press('j')
    await keyboard.press('y')
    await page.getByText('Nobody waits for you.').waitFor()

    // Every place.
    for (const [key, heading] of [
      ['i', 'Inbox'],
      ['o', 'Outbox'],
      ['w', 'Webhooks'],
      ['s', 'System'],
      ['a', 'All agents'],
    ] as const) {
      await keyboard.press('g')
      await keyboard.press(key)
      await page.getByRole('heading', { name: heading }).waitFor()
    }

    // Tab goes through everything that can be pressed, and a button is pressed.
    await keyboard.press('j')
    for (let tab = 0; tab < 12 && (await focused(page)) !== 'Pause ada'; tab += 1) await keyboard.press('Tab')
    expect(await focused(page)).toBe('Pause ada')
    await keyboard.press('Enter')
    await page.getByRole('button', { name: 'Resume ada' }).waitFor()

    // An agent is added.
    await keyboard.press('n')
    await page.getByRole('dialog').waitFor()
    await keyboard.type('cyd')
    await page.getByText('It will live in').waitFor()
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'cyd' }).waitFor()
  })
})
