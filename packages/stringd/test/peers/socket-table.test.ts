import { describe, expect, it } from 'vitest'
import { findOwners, peerOf, WIDTH } from '../../src/peers/socket-table.ts'

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n'
const CONNECTION = {
  remoteAddress: '127.0.0.1',
  remotePort: 41_575,
  localAddress: '127.0.0.1',
  localPort: 3923,
}

function row(number: number, ends: string, state: string, uid: number, inode: number): string {
  const start = `${String(number).padStart(4)}: ${ends} ${state} 00000000:00000000 00:00000000 00000000`
  return `${start} ${String(uid).padStart(5)} ${'0'.padStart(8)} ${inode} 1 0000000046db51e0 20 4 30 10 -1  \n`
}

function ownerOf(rows: readonly string[]): unknown {
  const v4 = peerOf(CONNECTION)?.v4 ?? ''
  return findOwners([HEAD, ...rows].join(''), WIDTH.v4, new Set([v4])).get(v4)
}

/** As a machine of today prints them. */
const ENDS = '0100007F:A267 0100007F:0F53'

describe('the other end of a connection', () => {
  it('is spelled as both tables spell it', () => {
    expect(peerOf(CONNECTION)).toEqual({
      v4: ENDS,
      v6: '0000000000000000FFFF00000100007F:A267 0000000000000000FFFF00000100007F:0F53',
    })
    expect(peerOf({ ...CONNECTION, remoteAddress: '::ffff:127.0.0.1' })?.v4).toBe(ENDS)
    expect(peerOf({ ...CONNECTION, remoteAddress: '127.10.0.255' })?.v4).toBe('FF000A7F:A267 0100007F:0F53')
    expect(ENDS).toHaveLength(WIDTH.v4)
    expect(peerOf(CONNECTION)?.v6).toHaveLength(WIDTH.v6)
  })

  it('of a connection that is gone is none', () => {
    expect(peerOf({ ...CONNECTION, remoteAddress: undefined, remotePort: undefined })).toBeNull()
    expect(peerOf({ ...CONNECTION, remoteAddress: '::1' })).toBeNull()
  })
})

describe('the table of sockets', () => {
  it('S29: tells the user of the row that has exactly these two ends', () => {
    const rows = [
      row(0, '0100007F:0F53 00000000:0000', '0A', 1, 11),
      row(1, '0100007F:0F53 0100007F:A267', '01', 2, 12),
      row(2, '0200007F:A267 0100007F:0F53', '01', 3, 13),
      row(3, '0100007F:A267 0200007F:0F53', '01', 4, 14),
      row(4, '0100007F:A267 0100007F:0F54', '01', 5, 15),
      row(5, '0100007F:A268 0100007F:0F53', '01', 6, 16),
    ]
    expect(ownerOf(rows)).toBeUndefined()
    expect(ownerOf([...rows, row(123_456, ENDS, '01', 1000, 17)])).toBe(1000)
    expect(ownerOf([row(0, ENDS, '01', 4_294_967_294, 4_294_967_295), ...rows])).toBe(4_294_967_294)
    expect(ownerOf([row(0, ENDS, '05', 0, 9)])).toBe(0)
  })

  it('S29: knows a socket that no process has any more, and one that only begins, as nobody’s', () => {
    expect(ownerOf([row(0, ENDS, '06', 0, 0)])).toBe('nobody')
    expect(ownerOf([row(0, ENDS, '01', 1000, 0)])).toBe('nobody')
    expect(ownerOf([row(0, ENDS, '02', 1000, 17)])).toBe('nobody')
    expect(ownerOf([row(0, ENDS, '06', 0, 0), row(1, ENDS, '01', 1000, 17)])).toBe('nobody')
    expect(ownerOf([row(0, ENDS, '01', 1000, 17), row(1, ENDS, '06', 0, 0)])).toBe('nobody')
  })

  it('that is empty, cut off or no table at all names nobody', () => {
    const wanted = new Set([ENDS])
    for (const text of ['', '\n', HEAD, HEAD.trimEnd(), `${HEAD}   0: 0100007F`, '\0'.repeat(500), ENDS])
      expect(findOwners(text, WIDTH.v4, wanted).size).toBe(0)
    expect(findOwners(`${HEAD}   0: ${ENDS}`, WIDTH.v4, wanted).get(ENDS)).toBe('nobody')
  })
})
