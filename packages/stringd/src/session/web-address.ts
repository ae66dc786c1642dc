import { type Failure, fail } from '@string-os/protocol'
import type { Address, Base } from '../library/address.ts'
import { splitBlock } from '../library/includes.ts'

/** An address on the web, perhaps relative to a page's. */
export function webAddress(target: string, base: (Base & { kind: 'web' }) | null): Address | Failure {
  if (!URL.canParse(target, base?.url)) return fail('INVALID_TARGET', `Not a web address: ${target}`)
  const url = new URL(target, base?.url)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return notOpenable(target)
  const { block } = splitBlock(decodeFragment(url.hash))
  url.hash = ''
  return { kind: 'web', url: url.href, from: base?.origin ?? null, block: block === '' ? null : block }
}

function decodeFragment(hash: string): string {
  try {
    return decodeURIComponent(hash)
  } catch {
    // A percent sign that encodes nothing stands for itself.
    return hash
  }
}

export function notOpenable(target: string): Failure {
  return fail(
    'INVALID_TARGET',
    `Cannot open this kind of address: ${target}`,
    '/open takes files, folders, http(s) pages, @shortcuts and #blocks',
  )
}
