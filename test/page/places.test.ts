import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { call } from '../support/http.ts'
import { describePage, looksRight as looksRightAt, VIEWS } from './support/browser.ts'
import { PagePlace } from './support/place.ts'

/** Everything that the table of the page promises, done as a person does it. */
describePage('a person', (browsers) => {
  const place = new PagePlace()
  beforeAll(() => place.start())
  afterAll(() => place.stop())

  describe.each(VIEWS)('at $width px, in light and in dark', (view) => {
    const name = (what: string): string => `${what}-${view.width}`
    const open = async (hash = '#/'): Promise<Page> => {
      const page = await browsers.page(view)
      await page.goto(place.url + hash)
      await page.getByText('live', { exact: true }).waitFor()
      return page
    }
    const looksRight = (page: Page): Promise<void> => looksRightAt(page, view)
    /** Sends a message and answers the turn that it is in. */
    const send = async (page: Page, text: string) => {
      const field = page.getByRole('textbox', { name: 'Message to' })
      await field.fill(text)
      await page.getByRole('button', { name: 'Send' }).click()
      return page.getByRole('article').filter({ hasText: text }).last()
    }

    it('sees every agent live, adds one with a profile that is checked, and pauses it', async () => {
      const page = await open()
      const profile = join(place.dir, `${name('new')}.yaml`)
      writeFileSync(profile, 'command: sh\nmax_steps: many\n')
      await page.getByRole('button', { name: 'Add an agent' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill(name('new'))
      await dialog.getByLabel('Profile').fill(profile)
      await dialog.getByText(`${profile}:2:`).waitFor()
      expect(await dialog.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true)
      await looksRight(page)
      writeFileSync(profile, 'command: sh\n')
      await dialog.getByLabel('Profile').fill('')
      await dialog.getByLabel('Profile').fill(profile)
      await dialog.getByText('It will live in').waitFor()
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('heading', { name: name('new') }).waitFor()
      await page
        .getByRole('navigation', { name: 'Places' })
        .getByRole('link', { name: /^Agents/ })
        .click()
      await page.getByRole('button', { name: `Pause ${name('new')}` }).click()
      await page.getByRole('button', { name: `Resume ${name('new')}` }).waitFor()
      await looksRight(page)
      // What happens elsewhere is seen here.
      await place.agent(name('other'))
      await page.getByRole('button', { name: `Pause ${name('other')}` }).waitFor()
      await place.ask('POST', `/agents/${name('other')}/pause`)
      await page.getByRole('button', { name: `Resume ${name('other')}` }).waitFor()
    })

    it('talks to an agent: its answer streams, and is the same when it is over', async () => {
      await place.agent(name('talker'))
      const page = await open(`#/agents/${name('talker')}`)
      const turn = await send(page, 'stream 60')
      await turn.getByText('word3').waitFor()
      await turn.getByText('word60').waitFor()
      await turn.getByText('done').waitFor()
      expect((await turn.locator('.reply').innerText()).match(/word\d+/g)).toHaveLength(60)
      const page2 = await send(page, 'Hello *there*')
      await page2.getByRole('heading', { name: 'Answer' }).waitFor()
      await page2.getByText('1,280 tokens').waitFor()
      await looksRight(page)
    })

    it('stops a turn, retries it, and sees why one failed', async () => {
      await place.agent(name('stopper'))
      const page = await open(`#/agents/${name('stopper')}`)
      const turn = await send(page, 'hold')
      await turn.getByText('word2').waitFor()
      await turn.getByRole('button', { name: 'Stop the turn' }).click()
      await turn.getByText('cancelled').first().waitFor()
      await turn.getByRole('button', { name: 'Retry the turn' }).click()
      const again = page.getByRole('article', { name: 'running' })
      await again.getByText('word2').waitFor()
      await page.getByRole('button', { name: 'Stop all' }).click()
      await again.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Resume' }).click()
      const failed = await send(page, 'fail the disk is full')
      await failed.getByText('the disk is full', { exact: true }).waitFor()
      await looksRight(page)
    })

    it('sends files, begins a session, and finds its address again', async () => {
      await place.agent(name('filer'))
      const page = await open(`#/agents/${name('filer')}`)
      await page.getByLabel('Files', { exact: true }).setInputFiles({
        name: 'notes.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('hello'),
      })
      await page.getByText('notes.txt').waitFor()
      await looksRight(page)
      const turn = await send(page, 'files')
      await turn.getByText('notes.txt data:text/plain;base64,aGVsbG8=').waitFor()
      await page.getByRole('button', { name: '+ session' }).click()
      await page.getByRole('dialog').getByLabel('Name of the session').fill('release 2/1')
      await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click()
      await page.getByText('Nothing was said in this session').waitFor()
      await looksRight(page)
      await send(page, 'say in the other session')
      await page.getByRole('article').getByText('in the other session', { exact: true }).waitFor()
      expect(new URL(page.url()).hash).toBe(`#/agents/${name('filer')}/sessions/release%202%2F1`)
      await page.reload()
      await page.getByRole('article').getByText('in the other session', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'default' }).click()
      await page.getByText('notes.txt data:').waitFor()
      await page.goBack()
      await page.getByRole('article').getByText('in the other session', { exact: true }).waitFor()
    })

    it('unfolds what a turn did: its steps with every block and its result', async () => {
      const home = await place.agent(name('worker'), 'chanflow: true\nprimer: false\n')
      writeFileSync(join(home, 'note.md'), '# A note\n')
      await place.turn(name('worker'), 'run /open note.md | /open none.md')
      const page = await open(`#/agents/${name('worker')}`)
      const turn = page.getByRole('article').first()
      await turn.getByRole('button', { name: 'details' }).click()
      await turn.getByText('/open note.md').first().waitFor()
      await turn.getByText('NOT_FOUND').first().waitFor()
      await turn.getByText('What came of it').click()
      await turn.getByRole('group', { name: 'Replies of step 1' }).getByText('File not found: none.md').waitFor()
      await looksRight(page)
      await turn.getByRole('link', { name: 'Address of this turn' }).click()
      await page.getByText('One turn of the session').waitFor()
      await page.getByText('Step 1').waitFor()
      await looksRight(page)
    })

    it('uses the topics of an agent: reads, follows a link and a shortcut, runs an action, closes it', async () => {
      const home = await place.agent(name('reader'))
      writeFileSync(join(home, 'more.md'), '# More pages\n\nThe end.\n')
      writeFileSync(
        join(home, 'start.md'),
        '# Start here\n\nSee [the rest](more.md) or [@more More](more.md).\n\n```act.greet\nCLI echo hello {who}\n  who: string (required) "Whom"\n```\n',
      )
      const page = await open(`#/agents/${name('reader')}`)
      await page.getByRole('button', { name: '+ topic' }).click()
      await page.getByRole('dialog').getByLabel('Name of the topic').fill('desk')
      await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click()
      const line = page.getByRole('textbox', { name: 'Command in desk' })
      await line.pressSequentially('/op')
      await page.getByRole('option', { name: '/open' }).waitFor()
      await line.press('Tab')
      await expect.poll(() => line.inputValue()).toBe('/open ')
      await line.pressSequentially('sta')
      await page.getByRole('option', { name: 'start.md' }).click()
      await line.press('Enter')
      await page.getByRole('heading', { name: 'Start here' }).waitFor()
      await page.getByRole('button', { name: 'greet' }).waitFor()
      await looksRight(page)
      await page.getByRole('article').getByRole('button', { name: 'the rest' }).click()
      await page.getByRole('heading', { name: 'More pages' }).waitFor()
      await page.getByRole('button', { name: 'Back' }).click()
      await page.getByRole('heading', { name: 'Start here' }).waitFor()
      await page.getByRole('navigation', { name: 'Shortcuts' }).getByRole('button', { name: 'More' }).click()
      await page.getByRole('heading', { name: 'More pages' }).waitFor()
      await page.getByRole('button', { name: 'Back' }).click()
      await page.getByRole('button', { name: 'greet' }).click()
      const form = page.getByRole('dialog')
      await form.getByLabel('who').fill("it's me")
      await looksRight(page)
      await form.getByRole('button', { name: 'Run' }).click()
      await page.getByText("hello it's me").waitFor()
      await page.getByRole('button', { name: 'Close topic' }).click()
      await page.getByRole('textbox', { name: 'Message to' }).waitFor()
      expect(await page.getByRole('link', { name: 'desk' }).count()).toBe(0)
    })

    it('sees the screen of a shell', async () => {
      await place.agent(name('shell'))
      const page = await open(`#/agents/${name('shell')}/topics/bash%3Abuild`)
      const line = page.getByRole('textbox', { name: 'Command in bash:build' })
      await line.fill('echo "sum $((40 + 2))"')
      await line.press('Enter')
      await page.getByRole('group', { name: 'Screen' }).getByText('sum 42').waitFor()
      await looksRight(page)
    })

    it('answers an approval where it stands, and in the list of all', async () => {
      await place.agent(name('asker'))
      const page = await open(`#/agents/${name('asker')}`)
      const turn = await send(page, 'ask rm -rf build')
      await turn.getByText('rm -rf build').nth(1).waitFor()
      await page.getByRole('link', { name: '1 waiting for you' }).waitFor()
      await looksRight(page)
      await turn.getByRole('button', { name: 'Allow' }).click()
      await turn.getByText('The answer was allow.').waitFor()
      await send(page, 'ask git push --force')
      await page.getByRole('link', { name: '1 waiting for you' }).click()
      // The turn asks on the page before, too: a note that is written there goes with it.
      await page.getByRole('heading', { name: 'Waits for you' }).waitFor()
      const asked = page.getByRole('article').filter({ hasText: 'git push --force' })
      const note = `not today, at ${view.width}`
      await asked.getByLabel('Note to the answer').fill(note)
      await asked.getByRole('button', { name: 'Deny' }).click()
      await page.getByText(note).waitFor()
      await page.getByText('Nobody waits for you.').waitFor()
      await looksRight(page)
    })

    it('reads what arrived, acknowledges it, wakes its agent once more, and sees which turn it became', async () => {
      await place.agent(name('woken'), 'wake: events\n')
      await place.agent(name('asleep'))
      const post = async (agent: string, text: string): Promise<void> => {
        const { webhook_url } = await place.ask<{ webhook_url: string }>('GET', `/agents/${agent}/webhook`)
        await fetch(webhook_url, { method: 'POST', body: text })
      }
      const page = await open('#/inbox')
      await post(name('asleep'), `the build of ${view.width} is green`)
      await page.getByRole('link', { name: `the build of ${view.width} is green` }).click()
      const card = page.getByRole('article')
      await card.getByText(`the build of ${view.width} is green`).waitFor()
      await looksRight(page)
      await card.getByRole('button', { name: 'Acknowledge' }).click()
      await card.getByText('acknowledged').waitFor()
      await page.getByRole('button', { name: 'acked', exact: true }).click()
      await page.getByRole('link', { name: `the build of ${view.width} is green` }).waitFor()
      await page.getByRole('button', { name: 'all', exact: true }).click()
      await post(name('woken'), `fail it does not work at ${view.width}`)
      await page.getByLabel('Of which agent').fill(name('woken'))
      await page.getByRole('link', { name: `the build of ${view.width} is green` }).waitFor({ state: 'detached' })
      const row = page.getByRole('link', { name: `it does not work at ${view.width}` })
      await row.click()
      await card.getByRole('link', { name: 'turn' }).waitFor()
      await card.getByRole('button', { name: 'Retry' }).click()
      await card.getByRole('link', { name: 'attempt' }).waitFor()
      await looksRight(page)
      await card.getByRole('link', { name: 'turn' }).click()
      await page.getByText('One turn of the session').waitFor()
    })

    it('opens the row of a list that was clicked while another choice of it is being loaded', async () => {
      await place.agent(name('heard'))
      const { webhook_url } = await place.ask<{ webhook_url: string }>('GET', `/agents/${name('heard')}/webhook`)
      await fetch(webhook_url, { method: 'POST', body: `clicked at ${view.width}` })
      const page = await open('#/inbox')
      const row = page.getByRole('link', { name: `clicked at ${view.width}` })
      await row.waitFor()
      let goOn = (): void => undefined
      const held = new Promise<void>((resolve) => {
        goOn = resolve
      })
      await page.route('**/events?*state=pending*', async (route) => {
        await held
        await route.continue()
      })
      await page.getByRole('button', { name: 'pending', exact: true }).click()
      await row.click()
      await page.getByRole('article').getByText(`clicked at ${view.width}`).waitFor()
      goOn()
      await row.waitFor()
    })

    it('sees what was sent, why it was not, and sends it again', async () => {
      const home = await place.agent(name('sender'))
      const post = await freePort()
      const targets = `{ "team-${view.width}": "http://127.0.0.1:${post}/" }`
      writeFileSync(join(home, '.string/channels.yaml'), `hook: { type: webhook, targets: ${targets} }`)
      await call(place.port, 'POST', '/chanflow', {
        headers: { 'X-Agent-Id': name('sender') },
        body: { text: `<𝒞=hook:team-${view.width}>The report is ready</𝒞>` },
      })
      const page = await open('#/outbox')
      const row = page.getByRole('listitem').filter({ hasText: `team-${view.width}` })
      await row.getByText('refused the connection').waitFor()
      await row.getByText('1 try').waitFor()
      await row.getByRole('button', { name: 'hook' }).click()
      await row.getByText('The report is ready').waitFor()
      await looksRight(page)
      await page.getByRole('button', { name: 'failed', exact: true }).click()
      await page.getByText('No message is failed.').waitFor()
      await page.getByRole('button', { name: 'waiting', exact: true }).click()
      await row.getByText('refused the connection').waitFor()
      await page.getByRole('button', { name: 'all', exact: true }).click()
      const server = createServer((_, response) => response.end('ok')).listen(post, '127.0.0.1')
      await row.getByRole('button', { name: /^Send again/ }).click()
      await row.getByText('sent', { exact: true }).waitFor()
      server.close()
      await page.getByLabel('Of which agent').fill(name('other'))
      await page.getByText('Nothing was sent.').waitFor()
      await looksRight(page)
    })

    it('sees addresses of webhooks masked until asked for, and makes new ones', async () => {
      await place.agent(name('hooked'))
      const page = await open('#/webhooks')
      await page.getByLabel('Part of a name').fill(name('hooked'))
      const row = page.getByRole('listitem').filter({ hasText: name('hooked') })
      await row.getByText('none yet').waitFor()
      await row.getByRole('button', { name: 'make the address' }).click()
      await row.getByText('/webhook/').waitFor()
      const address = (await row.locator('.address').innerText()).trim()
      expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/webhook\/\S{20}/)
      await row.getByRole('button', { name: 'rotate the address' }).click()
      await expect.poll(async () => (await row.locator('.address').innerText()).trim()).not.toBe(address)
      await row.getByRole('button', { name: 'hide the address' }).click()
      expect(await row.locator('.address').innerText()).not.toMatch(/webhook\/\w{20}/)
      await looksRight(page)
    })

    it('sees what the daemon is, how long it is up, what it can hold, finds and logs', async () => {
      const page = await open('#/system')
      await page.getByText('sqlite').first().waitFor()
      const { started_at } = await place.ask<{ started_at: string }>('GET', '/health')
      await page.getByLabel('The daemon').locator(`time[datetime="${started_at}"]`).waitFor()
      await page.getByLabel('Limits').getByText('of 10,000').first().waitFor()
      await page.getByLabel('Limits').getByText('at most 2 min 00 s in a shell').waitFor()
      await page.getByText('The daemon has logged no error.').waitFor()
      await page.getByRole('heading', { name: 'Findings' }).waitFor()
      await page.locator('.finding-rows li').first().waitFor()
      await page.getByText('stringd is ready').waitFor()
      await looksRight(page)
    })

    it('is told what to type where there is nothing', async () => {
      const page = await open('#/nothing/here')
      await page.getByText('There is no such place.').waitFor()
      await looksRight(page)
      for (const key of ['?', '/']) {
        await page.keyboard.press(key)
        await page.getByRole('dialog').waitFor()
        await looksRight(page)
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
    })

    it('sees that an agent is gone, and a page that was open does not make it again', async () => {
      const id = name('short-lived')
      await place.agent(id)
      const page = await open(`#/agents/${id}/topics/desk`)
      const line = page.getByRole('textbox', { name: 'Command in desk' })
      await line.fill('/ls')
      await line.press('Enter')
      await page.getByRole('status', { name: 'Answer' }).waitFor()
      // A tab that has not heard of it, as one that was asleep.
      await page.route('**/agents/**', (route) =>
        route.request().method() === 'GET' ? route.abort() : route.continue(),
      )
      await place.ask('DELETE', `/agents/${id}`)
      await line.fill('/ls')
      await line.press('Enter')
      await page.getByText(`Unknown agent: ${id}`).waitFor()
      await page.unroute('**/agents/**')
      await page.reload()
      await page.getByText('There is no such agent').waitFor()
      await looksRight(page)
      await page.goto(`${place.url}#/agents/${id}`)
      await page.getByText(`Agent ${id} could not be loaded.`).waitFor()
      const { agents } = await place.ask<{ agents: { id: string }[] }>('GET', '/agents')
      expect(agents.map((agent) => agent.id)).not.toContain(id)
    })
  })
})
