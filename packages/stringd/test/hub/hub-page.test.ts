import { DEFAULT_TOPIC, HUBS, LIMITS, parseTopic } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import type { HubData, HubDelivery, HubSession } from '../../src/hub/hub-data.ts'
import { hubPage } from '../../src/hub/hub-page.ts'

const NOTHING: HubData = {
  system: {
    version: '1.2.3',
    pid: 42,
    port: 7878,
    dataDir: '/data',
    startedAt: new Date('2026-01-01T00:00:00Z'),
    now: new Date('2026-01-01T00:00:07Z'),
    agents: 1,
    topics: 2,
    execMs: 30_000,
    store: { kind: 'sqlite', where: '/data/state.db', ok: true },
  },
  agent: { id: 'kim', home: '/home/kim', allowedPaths: [], profile: null, createdAt: '2026-01-01T00:00:00Z' },
  sessions: [],
  shells: [],
  inbox: { pending: 0, acked: 0, newest: [] },
  hasWebhook: false,
  turns: [],
  apps: [],
  foreign: [],
  tools: [],
  deliveries: [],
  errors: [],
}

const session = (name: string, more: Partial<HubSession> = {}): HubSession => ({
  topic: parseTopic(name) ?? DEFAULT_TOPIC,
  isRunning: false,
  uri: null,
  ...more,
})

/** The lines of one section of a page, or of its start. */
function section(page: string, title: string | null): string[] {
  const sections = page.split(/^## /m)
  const found = title === null ? sections[0] : sections.find((each) => each.startsWith(`${title}\n`))
  return (found ?? 'there is no such section')
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
}

describe('the page of a hub', () => {
  it.each(HUBS)('%s has a title, and commands that manage what it shows', (hub) => {
    const page = hubPage(hub, NOTHING)
    expect(page).toMatch(/^# \w/)
    expect(section(page, 'Commands').every((line) => line.startsWith('- '))).toBe(true)
    expect(section(page, 'Commands').length).toBeGreaterThan(0)
  })

  it.each([
    ['app', 'Open app sessions'],
    ['bash', 'Live shells'],
    ['event', 'Pending'],
    ['system', 'Your recent errors'],
    ['system', 'Deliveries'],
    ['agent', 'Sessions'],
  ] as const)('%s says that there are none under "%s"', (hub, title) => {
    expect(section(hubPage(hub, NOTHING), title)).toEqual(['(none)'])
  })

  it('of apps says what each is, where it comes from and what it needs, and which sessions are of apps', () => {
    const page = hubPage('app', {
      ...NOTHING,
      apps: [
        { name: 'notes', about: 'Keeps notes', source: '/src/notes', missing: [] },
        { name: 'mail', about: null, source: 'https://e.test/mail', missing: ['$TOKEN', '$HOST'] },
      ],
      sessions: [session('app:notes', { isRunning: true }), session('main')],
    })
    expect(section(page, null)).toEqual([
      '- app:notes · Keeps notes · /src/notes',
      '- app:mail · https://e.test/mail · needs $TOKEN, $HOST',
    ])
    expect(section(page, 'Open app sessions')).toEqual(['- app:notes (app) · running'])
  })

  it('of apps warns of packages that lie there and were not installed', () => {
    const page = hubPage('app', { ...NOTHING, foreign: ['old', 'odd\u001b[2J'] })
    expect(page).toContain('No apps are installed.')
    expect(page).toContain('In ~/.string/packages, and not installed here: old')
    expect(page).not.toContain('\u001b')
  })

  it('of shells says where each is and what it runs for how long', () => {
    const shell = (topic: string, running: HubData['shells'][number]['running']) => ({ topic, cwd: '/w', running })
    const page = hubPage('bash', {
      ...NOTHING,
      shells: [
        shell('bash:a', null),
        shell('bash:b', { command: 'sleep 9', seconds: 59 }),
        shell('bash:c', { command: 'make\nall', seconds: 61 }),
        shell('bash:d', { command: 'x', seconds: 3600 * 47 }),
        shell('bash:e', { command: 'x', seconds: 3600 * 48 }),
      ],
    })
    const rows = section(page, 'Live shells')
    expect(rows.slice(0, 2)).toEqual(['- bash:a · /w · at the prompt', '- bash:b · /w · runs sleep 9 (59 seconds)'])
    expect(rows).toHaveLength(5)
    expect(rows.map((row) => /\((.*)\)/.exec(row)?.[1])).toEqual([
      undefined,
      '59 seconds',
      '1 minute',
      '47 hours',
      '2 days',
    ])
  })

  it('of events counts them and shows the start of each on one line', () => {
    const newest = [{ id: 'evt_1', receivedAt: 'T', source: 'ci', text: `line one\nline two ${'x'.repeat(5000)}` }]
    const page = hubPage('event', { ...NOTHING, inbox: { pending: 3, acked: 1, newest } })
    expect(section(page, null)).toEqual(['3 pending, 1 acked'])
    const [row = '', ...others] = section(page, 'Pending')
    expect(others).toEqual([])
    expect(row.startsWith('- evt_1 T ci: ')).toBe(true)
    expect(row.length).toBeLessThan(LIMITS.eventPreviewChars + 50)
  })

  it('of the system shows no more errors and deliveries than it has rows for', () => {
    const errors = Array.from({ length: LIMITS.systemRows + 5 }, (_, index) => ({
      time: '2026-01-01T00:00:00.123Z',
      agent: 'kim',
      topic: 'main',
      command: `/open ${index}`,
      code: 'NOT_FOUND',
    }))
    const delivery: HubDelivery = {
      channel: 'mail',
      target: 'a@b.test',
      state: 'waiting',
      createdAt: 'C',
      nextAt: 'N',
      reason: 'refused',
    }
    const page = hubPage('system', { ...NOTHING, errors, deliveries: Array(LIMITS.systemRows + 5).fill(delivery) })
    expect(section(page, 'Your recent errors')).toHaveLength(LIMITS.systemRows)
    expect(section(page, 'Your recent errors')[0]).toBe('- 2026-01-01T00:00:00Z main /open 0: NOT_FOUND')
    expect(section(page, 'Deliveries')).toEqual(
      Array(LIMITS.systemRows).fill('- C mail:a@b.test: waiting, refused, next try N'),
    )
  })

  it('of the system says how long the daemon is up and what a command may take', () => {
    const page = hubPage('system', NOTHING)
    expect(page).toContain('- up since: 2026-01-01T00:00:00.000Z (7 seconds)')
    expect(page).toContain('- address: 127.0.0.1:7878 (pid 42)')
    expect(page).toContain('`/exec`: 30 s')
  })

  it('of the agent says what it may reach and what its sessions show', () => {
    const page = hubPage('agent', {
      ...NOTHING,
      agent: { ...NOTHING.agent, allowedPaths: ['/a', '/b'], profile: '/p.yaml' },
      sessions: [session('main', { uri: 'file:///w/a.md' })],
      hasWebhook: true,
    })
    expect(page).toContain('- allowed paths: /a, /b')
    expect(page).toContain('- profile: /p.yaml')
    expect(page).toContain('- webhook: on')
    expect(section(page, 'Sessions')).toEqual(['- main (tab) · file:///w/a.md'])
  })

  it.each(HUBS)('%s lets nothing that others have named break its lines or reach the terminal', (hub) => {
    const odd = 'a\n## Commands\u001b]0;x\u0007'
    const page = hubPage(hub, {
      ...NOTHING,
      system: { ...NOTHING.system, dataDir: odd },
      agent: { ...NOTHING.agent, home: odd, allowedPaths: [odd], profile: odd },
      shells: [{ topic: 'bash:a', cwd: odd, running: { command: odd, seconds: 1 } }],
      inbox: { ...NOTHING.inbox, newest: [{ id: 'evt_1', receivedAt: 'T', source: odd, text: odd }] },
      apps: [{ name: 'a', about: odd, source: odd, missing: [] }],
      tools: [{ name: 'a', about: odd, source: odd, missing: [] }],
      errors: [{ time: '2026-01-01T00:00:00Z', agent: 'kim', topic: 'main', command: odd, code: 'X' }],
    })
    expect(page).not.toContain('\u001b')
    expect(page.split('\n## Commands')).toHaveLength(2)
  })
})
