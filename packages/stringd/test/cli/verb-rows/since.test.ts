import { describe, expect, it } from 'vitest'
import { parseSince, SINCE } from '../../../src/cli/verb-rows/since.ts'

const NOW = new Date(2026, 2, 19, 14, 30, 5).getTime()

describe('--since', () => {
  it.each([
    ['30s', 30],
    ['15m', 900],
    ['12h', 43_200],
    ['1d', 86_400],
    ['2w', 1_209_600],
    ['0d', 0],
    ['7 d', 604_800],
    ['7d ago', 604_800],
    ['2 hours', 7_200],
    ['2 hrs ago', 7_200],
    ['1 Hour ago', 3_600],
    ['90min', 5_400],
    ['5 minutes ago', 300],
    ['45 seconds', 45],
    ['3 days ago', 259_200],
    ['1 week', 604_800],
    [' 2h ', 7_200],
  ])('%s is %i seconds ago', (text, seconds) => {
    expect(NOW - parseSince(text, NOW).getTime()).toBe(seconds * 1_000)
  })

  it('takes today and yesterday, from their midnight on', () => {
    expect(parseSince('today', NOW)).toEqual(new Date(2026, 2, 19))
    expect(parseSince('Yesterday', NOW)).toEqual(new Date(2026, 2, 18))
  })

  it('takes a time of today, or of yesterday where that is said', () => {
    expect(parseSince('14:00', NOW)).toEqual(new Date(2026, 2, 19, 14))
    expect(parseSince('9:05:07', NOW)).toEqual(new Date(2026, 2, 19, 9, 5, 7))
    expect(parseSince('today 14:00', NOW)).toEqual(new Date(2026, 2, 19, 14))
    expect(parseSince('yesterday 23:10', NOW)).toEqual(new Date(2026, 2, 18, 23, 10))
  })

  it.each(['14:31', 'today 23:00'])('does not guess which day %s is of while it is still to come', (text) => {
    expect(() => parseSince(text, NOW)).toThrow(
      /is still to come\. Of the day before it is 'yesterday (?:14:31|23:00)'$/,
    )
  })

  it('takes a day and a time, of this machine where no zone is said', () => {
    expect(parseSince('2026-03-18', NOW)).toEqual(new Date(2026, 2, 18))
    expect(parseSince('2026-03-18T09:30', NOW)).toEqual(new Date(2026, 2, 18, 9, 30))
    expect(parseSince('2026-03-18 09:30', NOW)).toEqual(new Date(2026, 2, 18, 9, 30))
    expect(parseSince('2026-03-18T09:30:00Z', NOW).toISOString()).toBe('2026-03-18T09:30:00.000Z')
    expect(parseSince('2026-03-18T09:30+09:00', NOW).toISOString()).toBe('2026-03-18T00:30:00.000Z')
    // As lists and string turn show write it.
    expect(parseSince('2026-03-18 09:30:00 +09:00', NOW).toISOString()).toBe('2026-03-18T00:30:00.000Z')
  })

  it.each([
    '',
    'tomorrow',
    '7',
    '7 ago',
    '-1d',
    '1.5d',
    '2 months',
    '2026-13-01',
    '2026-03',
    '1y',
    '24:00',
    '14:60',
    '2d yesterday',
  ])('refuses %j, and says what it takes', (text) => {
    expect(() => parseSince(text, NOW)).toThrow('--since takes a span such as 30m')
  })

  it('takes all that help, completion and its error name', () => {
    const inHelp = SINCE.summary.split(/, | or /).filter((each) => !/^an? /.test(each))
    expect(inHelp).toContain('14:00')
    const refusal = (() => {
      try {
        return parseSince('?', NOW)
      } catch (error) {
        return error instanceof Error ? error.message : ''
      }
    })()
    const inError = String(refusal).match(/\d[-\w:]*|"[^"]+"/g) ?? []
    expect(inError).toEqual(['30m', '12h', '7d', '"2 hours"', '14:00', '2026-03-19', '2026-03-19T08:30'])
    for (const text of [...inHelp, ...(SINCE.takes as readonly string[]), ...inError])
      expect(parseSince(text.replaceAll('"', ''), NOW), text).toBeInstanceOf(Date)
  })
})
