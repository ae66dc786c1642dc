import { describe, expect, it } from 'vitest'
import { hasPostgres, PASSWORD, postgresServer } from '../../../../../test/support/postgres.ts'
import type { Finding } from '../../../src/store/finding.ts'
import { checkPostgres } from '../../../src/store/postgres/check.ts'
import { openAt } from './opened.ts'
import { transactionPool } from './transaction-pool.ts'

describe.skipIf(!hasPostgres)('a look at a PostgreSQL', () => {
  const server = postgresServer({ settings: ['full_page_writes=off'] })

  async function look(url: string): Promise<readonly Finding[]> {
    return (await checkPostgres(url)).findings
  }

  const having = (findings: readonly Finding[], state: Finding['state']): string[] =>
    findings.filter((finding) => finding.state === state).map(({ text, next }) => `${text}: ${next}`)

  it('finds a database that nobody has used fit, and leaves it so', async () => {
    const database = await server.database()
    const findings = await look(server.url(database))
    expect(having(findings, 'bad')).toEqual([])
    expect(findings.map(({ text }) => text)).toEqual([
      'The connection is not encrypted, and does not leave this machine',
      expect.stringMatching(/^PostgreSQL \d+/),
      'The encoding is UTF8',
      'It can be written',
      'LISTEN and prepared statements work',
      'There is no schema string yet: the first daemon makes it',
      expect.stringContaining('fsync is off'),
      expect.stringContaining('full_page_writes is off'),
      'synchronous_commit is on',
      expect.stringContaining('Data checksums are'),
      expect.stringMatching(/^\d+ of \d+ connections are free; a daemon takes up to 7$/),
      expect.stringMatching(/^A commit takes/),
    ])
    expect(having(findings, 'doubtful').join('\n')).toContain('fsync = on in postgresql.conf')
    const left = "SELECT nspname FROM pg_namespace WHERE nspname = 'string'"
    expect(await server.sql(left, database)).toEqual([])
  })

  it('says which version the schema has, and who uses it', async () => {
    const database = await server.database()
    const { store } = await openAt(server.url(database))
    const texts = (await look(server.url(database))).map(({ text }) => text)
    expect(texts).toContainEqual(expect.stringMatching(/^The schema string has the present version \d+, \d+ kB$/))
    expect(texts).toContain('Its tables may be read and written')
    expect(texts).toContain('One daemon uses it now')
    await store.close()
    expect((await look(server.url(database))).map(({ text }) => text)).not.toContain('One daemon uses it now')
  })

  it('finds a schema of an older String fit, and one of a newer not', async () => {
    const database = await server.database()
    await (await openAt(server.url(database))).store.close()
    await server.sql('UPDATE string.version SET version = 1', database)
    const older = await look(server.url(database))
    expect(having(older, 'bad')).toEqual([])
    expect(older.map(({ text }) => text).join('\n')).toContain('the next daemon brings it up to date')
    await server.sql('UPDATE string.version SET version = 999', database)
    expect(having(await look(server.url(database)), 'bad')).toEqual([
      expect.stringMatching(/newer String \(version 999; .*\): update String here/),
    ])
  })

  it('says which rights are missing', async () => {
    await server.role('weak')
    const database = await server.database()
    const missing = async (): Promise<string[]> => having(await look(server.url(database, 'weak')), 'bad')
    expect(await missing()).toEqual([
      `There is no schema string, and weak may not make one: GRANT CREATE ON DATABASE ${database} TO weak`,
    ])
    await server.sql('CREATE SCHEMA string', database)
    expect(await missing()).toEqual([
      'weak may not use the schema string: GRANT USAGE, CREATE ON SCHEMA string TO weak',
    ])
    await server.sql('GRANT USAGE ON SCHEMA string TO weak', database)
    expect(await missing()).toEqual([
      'The schema string is empty, and weak may not make tables there: GRANT CREATE ON SCHEMA string TO weak',
    ])
    await (await openAt(server.url(database))).store.close()
    expect(await missing()).toEqual([expect.stringContaining('weak may not read string.version: GRANT ALL')])
    await server.sql('GRANT ALL ON ALL TABLES IN SCHEMA string TO weak', database)
    expect(await missing()).toEqual([])
    await server.sql('REVOKE UPDATE ON string.turns FROM weak', database)
    expect(await missing()).toEqual([expect.stringContaining('weak may not use the table string.turns')])
  })

  it('says what is wrong with the server or its settings', async () => {
    const latin = 'latin'
    await server.sql(`CREATE DATABASE ${latin} TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`)
    expect(having(await look(server.url(latin)), 'bad').join()).toContain('The encoding is LATIN1')
    const database = await server.database()
    await server.sql(`ALTER DATABASE ${database} SET default_transaction_read_only = on`)
    await server.sql(`ALTER DATABASE ${database} SET synchronous_commit = off`)
    await server.sql(`ALTER DATABASE ${database} CONNECTION LIMIT 3`)
    const findings = await look(server.url(database))
    expect(having(findings, 'bad').join()).toContain('Transactions can only read there')
    expect(having(findings, 'doubtful').join()).toContain('synchronous_commit is off; String turns it on for itself')
    expect(having(findings, 'doubtful').join()).toContain('The database may have 3 connections')
  })

  it('notices a proxy that gives each transaction another connection', async () => {
    const database = await server.database()
    const port = await transactionPool(server)
    const findings = await look(`postgres://postgres@127.0.0.1:${port}/${database}`)
    expect(having(findings, 'bad')).toEqual([
      expect.stringMatching(/^LISTEN or prepared statements do not work .*pool_mode = session/),
    ])
  })

  it('notices a copy that was not finished', async () => {
    const database = await server.database()
    await (await openAt(server.url(database))).store.close()
    await server.sql("INSERT INTO string.marks VALUES ('store_copy', '{}')", database)
    expect(having(await look(server.url(database)), 'bad')).toEqual([
      expect.stringMatching(/^A copy to this store was not finished: run the same/),
    ])
  })

  it('says why it cannot be reached, and never the password', async () => {
    const database = await server.database()
    const nobody = await look(`postgres://127.0.0.1:1/${database}`)
    expect(having(nobody, 'bad')).toEqual([expect.stringContaining('It cannot be reached:')])
    const secret = 'S3cr3t!'
    const wrong = await look(server.tcpUrl(database, { password: secret }))
    expect(having(wrong, 'bad')).toEqual([expect.stringContaining('the password of postgres is not right: mend it in')])
    expect(JSON.stringify(wrong)).not.toContain(secret)
    expect(having(await look(server.tcpUrl('missing')), 'bad')).toEqual([
      'there is no database missing: createdb missing',
    ])
    const odd = await look(`postgres://u:${PASSWORD}@127.0.0.1/db?nothing=1`)
    expect(having(odd, 'bad')).toHaveLength(1)
    expect(JSON.stringify(odd)).not.toContain('pa55')
    const elsewhere = await look('postgres://u@db.example.com/db?sslmode=disable')
    expect(having(elsewhere, 'bad').join()).toContain('anybody on the way could read the password')
  })
})
