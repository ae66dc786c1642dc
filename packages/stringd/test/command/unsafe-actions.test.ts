import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { action, openWith } from '../support/action.ts'
import { appPlace } from '../support/app-place.ts'

const CODE = 'CLI [[ {n} -gt 3 ]] && echo more || echo less\n  n: string (required)'
const UNSAFE = `${CODE}\n  unsafe: true`

describe('an action that declares itself unsafe', () => {
  it('S32: runs as bash would, and only it does', async () => {
    const { run, home } = await openWith(action(UNSAFE))
    expect((await run('/act.go 5')).body).toBe('more')
    await run(`/act.go 'x[$(touch ran)]'`)
    expect(existsSync(join(home, 'ran'))).toBe(true)
    const safe = await openWith(action(`${CODE}\n  unsafe: false`))
    expect((await safe.run('/act.go 5')).head.code).toBe('ACTION_FAILED')
  })

  it('still gets its values through the environment', async () => {
    const { run } = await openWith(
      action(`CLI eval "x=1"; printf '<%s>' {n} "{n}" '{n}' $'{n}'; cat <<EOF\n{n}\nEOF\n  n: string\n  unsafe: true`),
    )
    const value = `"$(echo x)" \`echo y\``
    expect((await run(`/act.go '${value}'`)).body).toBe(`<${value}><${value}><${value}><${value}>${value}`)
  })

  it('is shown as that before it runs', async () => {
    const { run } = await openWith(action(UNSAFE))
    const help = 'Unsafe: values may run as code'
    expect((await run('/act.go --help')).body).toContain(help)
    expect((await run('/act --help')).body).toContain(help)
    expect((await run('/act.go --dry-run 5')).body).toBe(
      'Dry run: go (values may run as code)\n---\n[[ 5 -gt 3 ]] && echo more || echo less',
    )
    const safe = await openWith(action('CLI echo {n}\n  n: string'))
    expect((await safe.run('/act.go --help')).body).not.toContain('Unsafe')
  })

  it('is shown as that before it is installed', async () => {
    const { reply, put } = await appPlace()
    put({ 'a.md': `---\nname: a\n---\n${action(UNSAFE)}` })
    expect(await reply('/install a.md --dry-run')).toContain('less` (values may run as code)')
  })
})
