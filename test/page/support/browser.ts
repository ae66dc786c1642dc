import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'

const KNOWN = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const require = createRequire(import.meta.url)
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** Where a browser is: one that is named must be there. */
function chromiumPath(): string | null {
  const named = process.env.STRING_TEST_CHROMIUM
  if (named !== undefined && named !== '') return named
  return KNOWN.find((path) => existsSync(path)) ?? null
}

export interface View {
  readonly width: number
  readonly scheme: 'light' | 'dark'
}

/** As a person at a desk, and one with a telephone at night. What they see is looked at in the other scheme too. */
export const VIEWS: readonly View[] = [
  { width: 1280, scheme: 'light' },
  { width: 360, scheme: 'dark' },
]

export interface Browsers {
  /** A browser of its own: what it keeps, and its tabs, are nobody else's. */
  context(view?: View): Promise<BrowserContext>
  page(view?: View): Promise<Page>
}

/** Tests in a real Chromium. Where there is none they are skipped, and that is said loudly. */
export function describePage(name: string, tests: (browsers: Browsers) => void): void {
  const executablePath = chromiumPath()
  if (executablePath === null) {
    console.error(`\n*** NO CHROMIUM: "${name}" IS SKIPPED. Install chromium, or set STRING_TEST_CHROMIUM ***\n`)
    describe.skip(name, () => tests(noBrowsers))
    return
  }
  describe(name, () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    })
    afterAll(async () => {
      await browser.close()
    })
    afterEach(async ({ task }) => {
      const contexts = browser.contexts()
      if (task.result?.state === 'fail') await keepPictures(contexts)
      await Promise.all(contexts.map((context) => context.close()))
    })
    const context = async ({ width, scheme }: View = { width: 1280, scheme: 'light' }): Promise<BrowserContext> => {
      const height = width < 600 ? 740 : 800
      const made = await browser.newContext({ viewport: { width, height }, colorScheme: scheme })
      made.setDefaultTimeout(10_000)
      return made
    }
    tests({ context, page: async (view) => (await context(view)).newPage() })
  })
}

/** What a person would have seen when a test failed: one looks at it before anything else. */
async function keepPictures(contexts: readonly BrowserContext[]): Promise<void> {
  const pages = contexts.flatMap((context) => context.pages())
  for (const [index, page] of pages.entries()) {
    const path = join(import.meta.dirname, `../../../node_modules/.cache/page-failures/${Date.now()}-${index}.png`)
    await page.screenshot({ path })
    console.error(`What the page showed: ${path}`)
  }
}

const noBrowsers: Browsers = {
  context: () => Promise.reject(new Error('No Chromium')),
  page: () => Promise.reject(new Error('No Chromium')),
}

/** Nothing is in anybody's way and nothing sticks out, in light and in dark. */
export async function looksRight(page: Page, { scheme }: View): Promise<void> {
  await findNoBarriers(page)
  await findNoOverflow(page)
  await page.emulateMedia({ colorScheme: scheme === 'light' ? 'dark' : 'light' })
  await findNoBarriers(page, COLOUR_RULES)
  await findNoOverflow(page)
  await page.emulateMedia({ colorScheme: scheme })
}

/** Two schemes differ in colours alone, which the tests of the style hold them to. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** What a screen reader would stumble over, or whoever sees little; nothing, in every place. */
async function findNoBarriers(page: Page, rules: readonly string[] = []): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  const found = await page.evaluate(async (only) => {
    const { axe: tool } = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResult> } }
    const { violations } = await tool.run(only.length === 0 ? {} : { runOnly: { type: 'rule', values: only } })
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
    )
  }, rules)
  expect(found).toEqual([])
}

interface AxeResult {
  readonly violations: readonly AxeViolation[]
}

interface AxeViolation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Nothing sticks out to the side, whatever stands there. */
export async function findNoOverflow(page: Page): Promise<void> {
  const wide = await page.evaluate(() => {
    const room = document.documentElement.clientWidth
    const main = document.querySelector('main')
    return {
      document: document.documentElement.scrollWidth > room,
      main: main !== null && main.scrollWidth > main.clientWidth,
    }
  })
  expect(wide).toEqual({ document: false, main: false })
}
