import { chownSync, copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../../../test/support/free-port.ts'
import { OTHER_UID } from '../../../../../test/support/other-user.ts'
import { hasPostgres, PASSWORD, postgresServer } from '../../../../../test/support/postgres.ts'
import { tryAlone } from '../../../src/store/postgres/alone.ts'
import { SCHEMA_VERSION } from '../../../src/store/postgres/schema.ts'
import { CERTIFICATE, KEY } from './certificate.ts'
import { eventFor, openAt } from './opened.ts'

describe.skipIf(!hasPostgres)('the first contact with a PostgreSQL', () => {
  const server = postgresServer()

  const refusal = async (url: string): Promise<string> => {
    const error = await openAt(url).then(
      () => new Error('It was not refused'),
      (thrown: Error) => thrown,
    )
    expect(error.name).toBe('StoreRefused')
    expect(error.message).not.toContain('\n')
    expect(error.message).not.toContain(PASSWORD)
    expect(error.message).not.toContain(encodeURIComponent(PASSWORD))
    return error.message
  }

  it('succeeds with a password over the port, and shows it nowhere', async () => {
    await server.role('ann')
    const database = await server.database({ owner: 'ann' })
    const { store, lines } = await openAt(server.tcpUrl(database, { as: 'ann' }))
    await store.events.append(eventFor('bob', 'hello'))
    expect(store.state()).toEqual({ ok: true })
    expect(store.where).toBe(`postgres://ann@127.0.0.1:${server.port}/${database}`)
    expect(lines.join()).not.toContain(PASSWORD)
  })

  it('P7: needs no superuser, only a database of its own', async () => {
    await server.role('eve')
    const database = await server.database({ owner: 'eve' })
    const { store } = await openAt(server.url(database, 'eve'))
    expect((await store.events.append(eventFor('bob', 'hello'))).event?.text).toBe('hello')
    const [role] = await server.sql("SELECT rolsuper FROM pg_roles WHERE rolname = 'eve'")
    expect(role?.rolsuper).toBe(false)
  })

  it('refuses a wrong password, and none', async () => {
    const database = await server.database()
    const none = `postgres://postgres@127.0.0.1:${server.port}/${database}`
    expect(await refusal(server.tcpUrl(database, { password: 'wr0ng' }))).toContain('password of postgres is not right')
    expect(await refusal(none)).toContain('PGPASSWORD or ~/.pgpass')
  })

  it('refuses a database that does not exist, and a role that is not let in', async () => {
    expect(await refusal(server.url('nowhere'))).toContain('there is no database nowhere: createdb nowhere')
    expect(await refusal(server.url('postgres', 'nobody'))).toContain('nobody is not let in')
  })

  it('refuses a role that may not make the schema, with what to grant', async () => {
    await server.role('mary')
    const database = await server.database()
    expect(await refusal(server.url(database, 'mary'))).toContain(`GRANT CREATE ON DATABASE ${database} TO mary`)
    await server.sql('CREATE SCHEMA string AUTHORIZATION mary', database)
    const { store } = await openAt(server.url(database, 'mary'))
    expect(store.state()).toEqual({ ok: true })
  })

  it('refuses a role that may see the schema but not write the tables', async () => {
    await server.role('paul')
    const database = await server.database()
    await (await openAt(server.url(database))).store.close()
    await server.sql(
      'GRANT USAGE ON SCHEMA string TO paul; GRANT SELECT ON ALL TABLES IN SCHEMA string TO paul',
      database,
    )
    expect(await refusal(server.url(database, 'paul'))).toMatch(/may not use the table string\.\w+: GRANT/)
  })

  it('refuses a database that cannot hold every text', async () => {
    await server.sql("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1'")
    expect(await refusal(server.url('latin'))).toContain("make one with ENCODING 'UTF8'")
  })

  it('P6: brings the schema up to date once, however many come at the same time', async () => {
    const database = await server.database()
    const all = await Promise.all(Array.from({ length: 8 }, () => openAt(server.url(database))))
    for (const { store } of all) expect(store.state()).toEqual({ ok: true })
    await Promise.all(all.map(({ store }, index) => store.events.append(eventFor('ann', `${index}`))))
    expect(await all[0]?.store.events.after('ann', '', 99)).toHaveLength(8)
    expect(await server.sql('SELECT * FROM string.version', database)).toHaveLength(1)
  })

  it('P6: refuses what a newer String has written, and leaves it as it is', async () => {
    const newer = SCHEMA_VERSION + 1
    const database = await server.database()
    await (await openAt(server.url(database))).store.close()
    await server.sql(`UPDATE string.version SET version = ${newer}`, database)
    expect(await refusal(server.url(database))).toContain(
      `newer String (version ${newer}; this one knows ${SCHEMA_VERSION}): update String`,
    )
    expect(await server.sql('SELECT version FROM string.version', database)).toEqual([{ version: newer }])
  })

  it('raises a synchronous_commit that is off, and leaves a stronger one alone (P1)', async () => {
    const database = await server.database()
    for (const [given, kept] of [
      ['off', 'on'],
      ['local', 'local'],
      ['remote_apply', 'remote_apply'],
    ] as const) {
      await server.sql(`ALTER DATABASE ${database} SET synchronous_commit = ${given}`)
      const alone = await tryAlone(server.url(database))
      expect(await alone.rows("SELECT current_setting('synchronous_commit') AS kept")).toEqual([{ kept }])
      await alone.end()
    }
  })

  it('waits for a server that is not there yet, and then says what is wrong with it', async () => {
    const database = await server.database()
    const wrong = server.tcpUrl(database, { password: 'wr0ng' })
    await server.stop()
    const right = await openAt(server.url(database))
    const refused = await openAt(wrong)
    expect(right.store.state()).toMatchObject({ ok: false, reason: 'there is no such socket' })
    expect(refused.store.state()).toMatchObject({ ok: false, reason: 'the connection was refused' })
    expect(refused.fatal).toEqual([])
    await server.start()
    await expect.poll(() => right.store.state()).toEqual({ ok: true })
    await expect
      .poll(() => refused.fatal.map(({ message }) => message))
      .toEqual([expect.stringContaining('is not right')])
    expect(right.fatal).toEqual([])
  })

  it('is away where nobody listens, and answers nothing', async () => {
    const { store } = await openAt(`postgres://ann:s3cret@127.0.0.1:${await freePort()}/work`)
    expect(store.state()).toMatchObject({ ok: false, reason: 'the connection was refused' })
    await expect(store.events.counts('ann')).rejects.toMatchObject({ name: 'StoreAway', isDoubtful: false })
  })

  describe('P7: over TLS', () => {
    it('refuses a server that has none where it is demanded', async () => {
      const url = `${server.tcpUrl(await server.database())}?sslmode=verify-full`
      expect(await refusal(url)).toContain('offers no encrypted connection')
    })

    it('takes only a certificate that is trusted and names the host', async () => {
      const database = await server.database()
      const files = { cert: join(server.dir, 'server.crt'), key: join(server.dir, 'server.key') }
      writeFileSync(files.cert, CERTIFICATE)
      writeFileSync(files.key, KEY, { mode: 0o600 })
      for (const file of Object.values(files)) if (process.getuid?.() === 0) chownSync(file, OTHER_UID, OTHER_UID)
      await server.sql(`ALTER SYSTEM SET ssl_cert_file = '${files.cert}'`)
      await server.sql(`ALTER SYSTEM SET ssl_key_file = '${files.key}'`)
      await server.sql('ALTER SYSTEM SET ssl = on')
      await server.restart('fast')
      const local = server.tcpUrl(database).replace('127.0.0.1', 'localhost')
      expect(await refusal(`${local}?sslmode=verify-full`)).toContain('certificate of the server is not trusted')
      const trusted = join(server.dir, 'root.crt')
      copyFileSync(files.cert, trusted)
      const { store } = await openAt(`${local}?sslmode=verify-full&sslrootcert=${trusted}`)
      expect(store.state()).toEqual({ ok: true })
      const sessions = await server.sql(
        "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'stringd'",
      )
      expect(sessions.length).toBeGreaterThan(0)
      expect(sessions.every(({ ssl }) => ssl === true)).toBe(true)
      const byNumber = `${server.tcpUrl(database)}?sslmode=verify-full&sslrootcert=${trusted}`
      expect(await refusal(byNumber)).toContain('ERR_TLS_CERT_ALTNAME_INVALID')
    })
  })
})
