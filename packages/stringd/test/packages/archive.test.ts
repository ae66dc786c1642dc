import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { LIMITS } from '@string-os/protocol'
import { describe, expect, it } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { tempDir } from '../../../../test/support/temp.ts'
import { readTar } from '../../src/packages/archive/read-tar.ts'
import { writeTar } from '../../src/packages/archive/write-tar.ts'
import { readArchive } from '../../src/packages/source/read-archive.ts'
import { appPlace } from '../support/app-place.ts'
import { startServer } from '../web/page-server.ts'

const IDENTITY = { name: 'x', from: 'x.tgz', origin: '/x.tgz', again: '/x.tgz' }

interface Entry {
  readonly name: string
  readonly type?: string
  readonly text?: string
  readonly size?: number
  readonly link?: string
}

/** An archive as a stranger would write it. */
function tarOf(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ name, type = '0', text = '', size = Buffer.byteLength(text), link = '' }) => {
    const block = Buffer.alloc(512)
    block.write(name, 0, 100)
    const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')
    block.write(`0000644\x000000000\x000000000\x00${octal(size, 11)}\x00${octal(0, 11)}\x00        ${type}${link}`, 100)
    block.write('ustar\x0000', 257)
    block.write(
      `${octal(
        block.reduce((sum, byte) => sum + byte, 0),
        6,
      )}\x00 `,
      148,
    )
    const content = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512)
    content.write(text)
    return [block, content]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

const ENTRY = { name: 'string.md', text: '# X' }

describe('an archive that could do harm is refused as a whole', () => {
  it.each([
    ['an absolute path', tarOf([ENTRY, { name: '/etc/evil', text: 'x' }]), 'INVALID_PATH'],
    ['a path that leads out', tarOf([ENTRY, { name: '../evil', text: 'x' }]), 'INVALID_PATH'],
    ['paths that all lead out', tarOf([{ name: '../string.md', text: 'x' }]), 'INVALID_PATH'],
    ['a path that leads out further below', tarOf([ENTRY, { name: 'a/../../evil', text: 'x' }]), 'INVALID_PATH'],
    ['a symbolic link', tarOf([ENTRY, { name: 'a', type: '2', link: '/etc/passwd' }]), 'LOAD_ERROR'],
    ['a hard link', tarOf([ENTRY, { name: 'a', type: '1', link: 'string.md' }]), 'LOAD_ERROR'],
    ['a device', tarOf([ENTRY, { name: 'a', type: '3' }]), 'LOAD_ERROR'],
    ['a pipe', tarOf([ENTRY, { name: 'a', type: '6' }]), 'LOAD_ERROR'],
    ['a path twice', tarOf([ENTRY, ENTRY]), 'INVALID_PATH'],
    ['a file below a file', tarOf([ENTRY, { name: 'string.md/a', text: 'x' }]), 'INVALID_PATH'],
    ['a size that is not there', tarOf([{ ...ENTRY, size: 4096 }]), 'LOAD_ERROR'],
    ['a size beyond all limits', tarOf([{ ...ENTRY, size: 8 ** 11 - 1 }]), 'LOAD_ERROR'],
    [
      'a long path in a header of its own',
      tarOf([{ name: 'x', type: 'x', text: '16 path=../evil\n' }, ENTRY]),
      'INVALID_PATH',
    ],
    ['a long path of GNU', tarOf([{ name: 'x', type: 'L', text: '/evil\0' }, ENTRY]), 'INVALID_PATH'],
    ['a header that counts wrong', tarOf([{ name: 'x', type: 'x', text: '0 path=a\n' }, ENTRY]), 'LOAD_ERROR'],
    ['too many files', tarOf([ENTRY, ...Array.from({ length: 1_000 }, (_, at) => ({ name: `f${at}` }))]), 'LOAD_ERROR'],
    ['too many folders', tarOf([ENTRY, { name: `${'a/'.repeat(20)}b`, text: 'x' }]), 'TOO_LARGE'],
    ['no string.md', tarOf([{ name: 'a.txt', text: 'x' }]), 'NOT_FOUND'],
    ['nothing', tarOf([]), 'NOT_FOUND'],
    ['an end that is missing', tarOf([ENTRY]).subarray(0, 1024), 'LOAD_ERROR'],
    ['a wrong sum', Buffer.concat([Buffer.from('y'), tarOf([ENTRY]).subarray(1)]), 'LOAD_ERROR'],
  ])('%s', async (_title, bytes, code) => {
    for (const packed of [bytes, gzipSync(bytes)])
      expect(await readArchive(packed, IDENTITY)).toMatchObject({ ok: false, code })
  })

  it('a bomb is given up at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(LIMITS.packageTarBytes + 512))
    expect(bomb.length).toBeLessThan(100_000)
    expect(await readArchive(bomb, IDENTITY)).toMatchObject({ ok: false, code: 'TOO_LARGE' })
  })

  it('bytes of any kind are refused or read, and nothing is thrown', async () => {
    const tar = tarOf([ENTRY, { name: 'a/b.md', text: 'text' }])
    const spoiled = fc.array(fc.tuple(fc.nat(tar.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(spoiled, (changes) => {
        const bytes = Buffer.from(tar)
        for (const [at, byte] of changes) bytes[at] = byte
        const read = readTar(bytes)
        if (read.ok) for (const { path } of read.files) expect(typeof path).toBe('string')
      }),
    )
    for (const bytes of [Buffer.from([0x1f, 0x8b, 1, 2]), gzipSync('no tar'), Buffer.alloc(600, 'ustar')])
      expect(await readArchive(bytes, IDENTITY)).toMatchObject({ ok: false, code: 'LOAD_ERROR' })
  })
})

describe('an archive of our own', () => {
  it('is read back as it was, whatever is in it, and by the tar of the system', async () => {
    const name = fc.stringMatching(/^[a-zé ._-]{1,60}$/u).filter((each) => each !== '.' && each !== '..')
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
    const file = fc.record({ bytes: fc.uint8Array({ maxLength: 2_000 }), mode: fc.constantFrom(0o644, 0o755) })
    fc.assert(
      fc.property(fc.dictionary(path, file, { maxKeys: 8 }), (files) => {
        const packed = writeTar('kit', new Map(Object.entries(files)))
        const again = writeTar('kit', new Map(Object.entries(files).toReversed()))
        expect(packed.equals(again)).toBe(true)
      }),
      { numRuns: 30 },
    )
    const long = `${'folder-of-a-long-name/'.repeat(6)}file.txt`
    const files = new Map([
      ['string.md', { bytes: Buffer.from('# X'), mode: 0o600 }],
      [long, { bytes: Buffer.from('deep'), mode: 0o700 }],
    ])
    const packed = writeTar('kit', files)
    const source = await readArchive(packed, IDENTITY)
    if (!source.ok) throw new Error(source.system)
    expect([...source.files.keys()].sort()).toEqual([long, 'string.md'])
    expect(source.files.get(long)).toMatchObject({ mode: 0o755 })
    const dir = tempDir()
    writeFileSync(join(dir, 'kit.tgz'), packed)
    execFileSync('tar', ['xzf', 'kit.tgz'], { cwd: dir })
    expect(readFileSync(join(dir, 'kit', long), 'utf8')).toBe('deep')
    expect(statSync(join(dir, 'kit/string.md')).mode & 0o777).toBe(0o644)
  })
})

describe('/install of an archive', () => {
  it('takes what the tar of the system made, from the disk and from the web, and what it refuses changes nothing', async () => {
    const { reply, put, home, state, stateDir } = await appPlace()
    put({
      'kit/string.md': '---\nname: kit\n---\n# Kit',
      'kit/bin/run.sh': '#!/bin/sh\necho hi\n',
      'bad/string.md': 'x',
    })
    const tar = (...args: string[]): void => void execFileSync('tar', args, { cwd: home })
    tar('czf', 'kit.tgz', 'kit')
    tar('cf', 'flat.tar', '-C', 'kit', '--mode=755', '.')
    symlinkSync('/etc/passwd', join(home, 'bad/link'))
    tar('czf', 'bad.tgz', 'bad')
    expect(await reply('/install --dry-run ./kit.tgz')).toContain(
      'Would install app:kit\n---\nFrom: ./kit.tgz (2 files, ',
    )
    expect(state()).toEqual({})
    for (const [name, text] of [
      ['junk.tgz', 'junk'],
      ['none.tar.gz', ''],
      ['page.zip', '# A page'],
    ] as const) {
      writeFileSync(join(home, name), text)
      expect(await reply(`/install ./${name}`)).toContain(`The archive ./${name} cannot be used: it is no tar archive`)
    }
    expect(await reply('/install bad.tgz')).toContain(
      'ERROR(LOAD_ERROR): The archive bad.tgz cannot be used: a package holds no links: "bad/link"',
    )
    expect(state()).toEqual({})
    expect(await reply('/install kit.tgz')).toContain('Installed app:kit')
    expect(await reply('/open app:kit')).toBe('Opened app:kit\n---\n# Kit')
    expect(await reply('/install --as flat flat.tar')).toContain('Installed app:flat')
    expect(statSync(join(stateDir, 'packages/flat/bin/run.sh')).mode & 0o777).toBe(0o755)
    const { origin } = await startServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).end(readFileSync(join(home, 'kit.tgz')))
    })
    expect(await reply(`/install --as web ${origin}/kit.tgz?key=secret`)).toContain(
      `Installed app:web\n---\nFrom: ${origin}/kit.tgz?… (2 files, `,
    )
    expect(await reply(`/install --link ${origin}/kit.tgz`)).toContain(
      'ERROR(INVALID_PARAMS): An archive cannot be linked',
    )
  })
})
