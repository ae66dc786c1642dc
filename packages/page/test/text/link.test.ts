import { describe, expect, it } from 'vitest'
import { outward } from '../../src/text/link.tsx'

describe('a link', () => {
  it.each(['http://example.com/', 'https://example.com/a?b#c', 'mailto:a@example.com'])('%s leads out', (href) => {
    expect(outward(href)?.href).toBe(href)
  })

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:http://127.0.0.1/x',
    'about:blank',
    'ftp://example.com',
    '//example.com',
    '/agents',
    'pages/more.md',
    '',
    'http://',
  ])('%j does not', (href) => {
    expect(outward(href)).toBe(null)
  })
})
