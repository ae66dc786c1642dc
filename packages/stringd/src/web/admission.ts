import { type Failure, fail, quoted } from '@string-os/protocol'
import { type AddressClass, classifyAddress } from './ip-address.ts'
import { WEB_LIMITS } from './limits.ts'
import { shownUrl } from './target-url.ts'

export type Reach = 'public' | 'private' | 'loopback'

/** The page that links, includes or redirects: it decides where the way may lead. */
export interface PageOrigin {
  readonly url: string
  readonly reach: Reach
}

/** The addresses of a host, all of them checked. */
export interface Admitted {
  readonly ok: true
  readonly addresses: readonly string[]
  readonly reach: Reach
}

/** Decides whether a host may be contacted. One bad address among several refuses the host (S26). */
export function admit(
  url: URL,
  addresses: readonly string[],
  from: PageOrigin | null,
  ownPort: number,
): Admitted | Failure {
  if (addresses.length === 0 || addresses.length > WEB_LIMITS.hostAddresses) return unresolved(url)
  const classes = addresses.map((address) => classifyAddress(address) ?? 'forbidden')
  const never = closedToAll(url, classes, ownPort)
  if (never !== null) return never
  const reach = reachOf(classes)
  if (from === null || classes.every((each) => isOpenTo(from, url, each))) return { ok: true, addresses, reach }
  return closedTo(from, url)
}

function unresolved(url: URL): Failure {
  const host = quoted(url.hostname)
  return fail('LOAD_ERROR', `No address is known for the host ${host} of ${shownUrl(url)}`, 'Check the spelling')
}

function closedToAll(url: URL, classes: readonly AddressClass[], ownPort: number): Failure | null {
  if (classes.includes('loopback') && portOf(url) === ownPort) {
    return fail(
      'INVALID_TARGET',
      `${shownUrl(url)} is the port of String itself, which /open does not reach`,
      '/open system shows the daemon; programs use its HTTP interface',
    )
  }
  if (classes.includes('link-local')) {
    return fail(
      'INVALID_TARGET',
      `${shownUrl(url)} is at a link-local or metadata address: these are never opened`,
      'Give the address of another host',
    )
  }
  if (classes.includes('forbidden')) {
    return fail(
      'INVALID_TARGET',
      `${shownUrl(url)} is at an address that belongs to no single host`,
      'Give the address of a host',
    )
  }
  return null
}

/** A host with public and other addresses counts as public: what it shows may come from outside. */
function reachOf(classes: readonly AddressClass[]): Reach {
  if (classes.includes('public')) return 'public'
  return classes.includes('private') ? 'private' : 'loopback'
}

function isOpenTo(from: PageOrigin, url: URL, is: AddressClass): boolean {
  if (is === 'public') return true
  return from.reach === is && new URL(from.url).origin === url.origin
}

function closedTo(from: PageOrigin, url: URL): Failure {
  const source = shownUrl(new URL(from.url))
  const rule =
    from.reach === 'public'
      ? `The public page ${source} may not lead to this machine or a private network: ${shownUrl(url)}`
      : `${source} may lead to public pages and to its own origin only: ${shownUrl(url)}`
  return fail('INVALID_TARGET', rule, 'What a server answers must not decide this: ask the person you work for')
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}
