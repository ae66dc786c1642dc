import { describe, expect, it } from 'vitest'
import { type Owner, OwnerSearch, type Peer, peerOf } from '../../src/peers/socket-table.ts'

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

/** What is found, in pieces of any size. */
function search(text: string, pieceChars: number): Owner | undefined {
  const peers: readonly Peer[] = [{ v4: ENDS, v6: '' }]
  const found = new OwnerSearch('v4', peers)
  for (let at = 0; at < text.length && !found.isOver; at += pieceChars) found.push(text.slice(at, at + pieceChars))
  return found.ownersOf(peers)[0]
}

function ownerOf(rows: readonly string[]): Owner | undefined {
  const text = [HEAD, ...rows].join('')
  const owners = new Set([1, 7, 150, 4096].map((pieceChars) => search(text, pieceChars)))
  expect(owners.size).toBe(1)
  return [...owners][0]
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
    expect(ownerOf(rows)).toBe('unknown')
    expect(ownerOf([...rows, row(123_456, ENDS, '01', 1000, 17)])).toBe(1000)
    expect(ownerOf([row(0, ENDS, '01', 4_294_967_294, 4_294_967_295), ...rows])).toBe(4_294_967_294)
    expect(ownerOf([row(0, ENDS, '05', 0, 9)])).toBe(0)
  })

  it('S29: knows a socket that no process has any more, and one that only begins, as nobody’s', () => {
    expect(ownerOf([row(0, ENDS, '06', 0, 0)])).toBe('nobody')
    expect(ownerOf([row(0, ENDS, '01', 1000, 0)])).toBe('nobody')
    expect(ownerOf([row(0, ENDS, '02', 1000, 17)])).toBe('nobody')
  })

  it('S29: is not read further than all that are wanted', () => {
    const peers = ['0100007F:A267 0100007F:0F53', '0100007F:A268 0100007F:0F53'].map((v4) => ({ v4, v6: '' }))
    const found = new OwnerSearch('v4', peers)
    found.push(HEAD + row(0, ENDS, '01', 1000, 17))
    expect(found.isOver).toBe(false)
    found.push(row(1, '0100007F:A268 0100007F:0F53', '01', 5, 18))
    expect(found.isOver).toBe(true)
    expect(found.ownersOf(peers.toReversed())).toEqual([5, 1000])
  })

  it('that is empty, cut off or no table at all names nobody', () => {
    for (const text of [
      '',
      '\n',
      HEAD,
      HEAD.trimEnd(),
      `${HEAD}   0: 0100007F`,
      '\0'.repeat(500),
      ENDS,
      `${HEAD}   0: ${ENDS}`,
    ])
      expect(search(text, 64)).toBe('unknown')
    expect(search(`${HEAD}   0: ${ENDS}\n`, 64)).toBe('nobody')
  })
})
