import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../../test/support/temp.ts'
import { parseAddress } from '../../../src/store/postgres/address.ts'

function refusalOf(text: string): Error {
  try {
    parseAddress(text)
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('It was not refused')
}

describe('the address of a PostgreSQL', () => {
  it.each([
    ['postgres://ann:s3cret@db.example.com:6000/work', 'postgres://ann@db.example.com:6000/work'],
    ['postgresql://ann@db.example.com/work', 'postgres://ann@db.example.com:5432/work'],
    ['postgres://ann:a%40b%2Fc@[2001:db8::1]/work', 'postgres://ann@[2001:db8::1]:5432/work'],
    ['postgres://ann@/work?host=/run/pg', 'postgres://ann@/work?host=/run/pg&port=5432'],
    ['postgres://ann@/work?host=%2Frun%2Fpg&port=6000', 'postgres://ann@/work?host=/run/pg&port=6000'],
    ['postgres://ann@%2Frun%2Fpg:6000/work', 'postgres://ann@/work?host=/run/pg&port=6000'],
    ['postgres://ann@/work', 'postgres://ann@localhost:5432/work'],
    ['postgres:///work?host=/run/pg', expect.stringContaining('@/work?host=/run/pg')],
    ['postgres://ann@localhost', 'postgres://ann@localhost:5432/ann'],
  ])('%s is shown without a password', (text, where) => {
    expect(parseAddress(text).where).toEqual(where)
  })

  it('has its password in any spelling', () => {
    expect(parseAddress('postgres://ann:a%40b%2Fc%20d@localhost/work').password).toBe('a@b/c d')
    expect(parseAddress('postgres://ann:a@b@localhost/work').password).toBe('a@b')
    expect(parseAddress('postgres://ann@localhost/work').password).toBeUndefined()
  })

  it.each([
    ['mysql://ann:s3cret@localhost/work', 'does not begin with postgres://'],
    ['postgres://ann:s3/cret@localhost/work', 'percent-encode'],
    ['postgres://ann:12/s3cret@localhost/work', 'percent-encode'],
    ['postgres://ann:12?s3cret@localhost/work', 'percent-encode'],
    ['postgres://ann:s3#cret@localhost/work', 'percent-encode'],
    ['postgres://ann:s3 cret@localhost/work', 'space'],
    ['postgres://ann:s3%zzcret@localhost/work', 'a % that encodes nothing'],
    ['postgres://ann:s3cret@localhost:port/work', 'is no address'],
    ['postgres://ann:s3cret@localhost:0/work', 'port'],
    ['postgres://ann:s3cret@one,two/work', 'more than one host'],
    ['postgres://ann:s3cret@localhost/work?sslmode=sometimes', 'unknown sslmode sometimes'],
    ['postgres://ann:s3cret@localhost/work?statement_timeout=0', 'has the parameter statement_timeout'],
    ['postgres://ann:s3cret@db.example.com/work?sslrootcert=/no/such', 'sslrootcert=/no/such'],
  ])('%s is refused with the reason and without the password', (text, reason) => {
    const { name, message } = refusalOf(text)
    expect(name).toBe('StoreRefused')
    expect(message).toContain(reason)
    expect(message).not.toMatch(/s3|cret/)
  })

  describe('P7: demands a verified TLS connection', () => {
    it.each([
      'db.example.com',
      '10.0.0.1',
      '127.0.0.1.example.com',
      'localhost.example.com',
      '[2001:db8::1]',
      '[::ffff:10.0.0.1]',
      '126.255.255.255',
      '128.0.0.1',
      '0.0.0.0',
    ])('of %s', (host) => {
      expect(parseAddress(`postgres://ann@${host}/work`).ssl).toMatchObject({ rejectUnauthorized: true })
      for (const mode of ['require', 'verify-ca', 'verify-full']) {
        const { ssl } = parseAddress(`postgres://ann@${host}/work?sslmode=${mode}`)
        expect(ssl).toMatchObject({ rejectUnauthorized: true })
        expect(ssl).not.toHaveProperty('checkServerIdentity')
      }
      for (const mode of ['disable', 'allow', 'prefer', 'no-verify']) {
        const address = `postgres://ann:s3cret@${host}/work?sslmode=${mode}`
        expect(() => parseAddress(address)).toThrow(`sslmode=${mode}`)
      }
    })

    it.each(['127.0.0.1', '127.9.8.7', '[::1]', 'localhost', '%2Frun%2Fpg', '[::ffff:127.0.0.1]'])(
      'not of %s, which is this machine',
      (host) => {
        expect(parseAddress(`postgres://ann@${host}/work`).ssl).toBe(false)
        expect(parseAddress(`postgres://ann@${host}/work?sslmode=prefer`).ssl).toBe(false)
        expect(parseAddress(`postgres://ann@${host}/work?sslmode=verify-full`).ssl).toMatchObject({
          rejectUnauthorized: true,
        })
      },
    )

    it('also when the host is named as a parameter', () => {
      const address = 'postgres://ann@127.0.0.1/work?host=db.example.com'
      expect(parseAddress(address)).toMatchObject({ host: 'db.example.com', ssl: { rejectUnauthorized: true } })
    })

    it('with the certificate that is named', () => {
      const file = join(tempDir(), 'root.pem')
      writeFileSync(file, 'a certificate')
      const { ssl } = parseAddress(`postgres://ann@db.example.com/work?sslrootcert=${file}`)
      expect(ssl).toMatchObject({ rejectUnauthorized: true, ca: 'a certificate' })
    })
  })
})
