import { isIPv4 } from 'node:net'

/** `forbidden`: unspecified, multicast, broadcast, reserved. `link-local` takes in the metadata services of clouds. */
export type AddressClass = 'public' | 'private' | 'loopback' | 'link-local' | 'forbidden'

/** What a range is, or how many bits follow the IPv4 address that its addresses carry. */
type Meaning = AddressClass | bigint

interface Range {
  readonly base: bigint
  /** Bits that vary within the range. */
  readonly free: bigint
  readonly meaning: Meaning
}

const V4 = ranges(32, parseV4, [
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['100.100.100.200/32', 'link-local'],
  ['168.63.129.16/32', 'link-local'],
  ['0.0.0.0/8', 'forbidden'],
  ['192.0.0.0/24', 'forbidden'],
  ['224.0.0.0/3', 'forbidden'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'private'],
  ['172.16.0.0/12', 'private'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'private'],
  ['0.0.0.0/0', 'public'],
])

const V6 = ranges(128, parseV6, [
  ['::1/128', 'loopback'],
  ['fe80::/10', 'link-local'],
  ['fd00:ec2::254/128', 'link-local'],
  ['fd20:ce::254/128', 'link-local'],
  ['fc00::/7', 'private'],
  ['fec0::/10', 'private'],
  ['64:ff9b:1::/48', 'private'],
  ['::/96', 0n],
  ['::ffff:0:0/96', 0n],
  ['::ffff:0:0:0/96', 0n],
  ['64:ff9b::/96', 0n],
  ['2002::/16', 80n],
  ['2001::/32', 'forbidden'],
  ['2000::/3', 'public'],
])

/** What kind of place an IP address is, however it is spelled; null for what is no IP address. */
export function classifyAddress(spelled: string): AddressClass | null {
  const text = spelled.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
  const isV6 = text.includes(':')
  const value = isV6 ? parseV6(text) : parseV4(text)
  if (value === null) return null
  return classify(value, isV6 ? V6 : V4)
}

/** The first range that holds the address decides. */
function classify(value: bigint, table: readonly Range[]): AddressClass {
  const meaning = table.find(({ base, free }) => value >> free === base)?.meaning ?? 'forbidden'
  return typeof meaning === 'bigint' ? classify((value >> meaning) & 0xffff_ffffn, V4) : meaning
}

function ranges(
  width: number,
  parse: (text: string) => bigint | null,
  rows: readonly (readonly [cidr: string, meaning: Meaning])[],
): readonly Range[] {
  return rows.map(([cidr, meaning]) => {
    const [address = '', length = ''] = cidr.split('/')
    const free = BigInt(width - Number(length))
    return { base: (parse(address) ?? 0n) >> free, free, meaning }
  })
}

/** Takes every spelling that a URL takes: `127.1`, `0x7f.1`, `017700000001`, `2130706433`. */
function parseV4(text: string): bigint | null {
  if (!/^[0-9a-fx]+(\.[0-9a-fx]+)*\.?$/i.test(text)) return null
  const host = hostOf(text)
  if (!isIPv4(host)) return null
  return host.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n)
}

function parseV6(text: string): bigint | null {
  const host = hostOf(`[${text}]`)
  if (host === '') return null
  const [head = '', tail = ''] = host.slice(1, -1).split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const gap = Array<string>(8 - left.length - right.length).fill('0')
  return [...left, ...gap, ...right].reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n)
}

/** The host as a URL normalizes it, or nothing. */
function hostOf(text: string): string {
  return URL.canParse(`http://${text}/`) ? new URL(`http://${text}/`).hostname : ''
}
