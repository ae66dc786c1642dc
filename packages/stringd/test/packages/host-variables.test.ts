import { describe, expect, it } from 'vitest'
import { appPlace } from '../support/app-place.ts'
import { startServer } from '../web/page-server.ts'

const app = (fallback: string, address: string): string =>
  `---\nname: shop\nenv:\n  - name: H\n    default: "${fallback}"\n---\n# Shop\n\`\`\`act.list\nGET ${address}\n\`\`\`\n`

describe('a variable that is the host of an address', () => {
  it('has a port by default or as it was set, and a dry run says what a call says', async () => {
    const { reply, put } = await appPlace()
    const { origin } = await startServer((_, response) => void response.end('eggs'))
    put({ 'shop/string.md': app(new URL(origin).host, 'http://$H/items') })
    expect(await reply('/install shop')).not.toContain('Its author would want to know')
    expect(await reply('/act.list', 'app:shop')).toBe('eggs')
    await reply('/set $H = 127.0.0.1:9', 'app:shop')
    expect(await reply('/act.list --dry-run', 'app:shop')).toContain('Dry run: list')
    await reply('/set $H = me@127.0.0.1', 'app:shop')
    for (const call of ['/act.list', '/act.list --dry-run'])
      expect(await reply(call, 'app:shop')).toContain('ERROR(INVALID_PARAMS): H is the host of the address: ')
  })

  it('is told of at once where no call would accept its default', async () => {
    const { reply, put } = await appPlace()
    for (const [fallback, address] of [
      ['http://a.example', 'http://$H/x'],
      ['a.example:80', 'http://$H:8080/x'],
      ['a.example:99999', 'http://$H/x'],
      ['..', 'http://a.example/$H/x'],
    ] as const) {
      put({ 'shop/string.md': app(fallback, address) })
      const told = await reply('/install --dry-run shop')
      expect(told).toContain(`string.md:9: Action list refuses the default of $H, ${fallback}: `)
      expect(told).toContain('in env in the front matter of string.md')
    }
  })
})
