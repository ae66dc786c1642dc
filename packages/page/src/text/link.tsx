import type { ComponentChildren, VNode } from 'preact'
import { shownLine } from './shown.ts'

const LEADS_OUT = new Set(['http:', 'https:', 'mailto:'])

/** A link that leaves the page; null for everything but http, https and mailto. */
export function outward(href: string): URL | null {
  if (!URL.canParse(href)) return null
  const url = new URL(href)
  return LEADS_OUT.has(url.protocol) ? url : null
}

/** Says where it leads when its text does not. */
export function Outward({ url, text, children }: { url: URL; text: string; children: ComponentChildren }): VNode {
  const where = url.protocol === 'mailto:' ? url.pathname : url.host
  return (
    <>
      <a href={url.href} target="_blank" rel="noopener noreferrer" title={shownLine(url.href)}>
        {children}
      </a>
      {text.includes(where) ? null : <span class="leads"> ({shownLine(where.slice(0, 80))})</span>}
    </>
  )
}

/** Addresses in plain text, in one pass. */
const ADDRESS = /https?:\/\/[^\s<>"'`]{1,2000}/g

/** A text whose addresses are links. */
export function linked(text: string): ComponentChildren {
  if (!text.includes('://')) return visible(text)
  const found: ComponentChildren[] = []
  let end = 0
  for (const { 0: match, index } of text.matchAll(ADDRESS)) {
    const address = match.replace(/[.,;:!?)\]}]+$/, '')
    const url = outward(address)
    if (url === null) continue
    found.push(
      visible(text.slice(end, index)),
      <Outward url={url} text={url.host}>
        {visible(address)}
      </Outward>,
    )
    end = index + address.length
  }
  return [...found, visible(text.slice(end))]
}

const visible = shownLine
