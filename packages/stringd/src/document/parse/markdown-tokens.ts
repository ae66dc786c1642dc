import type { MarkdownToken } from '@string-os/protocol'
import MarkdownParser, { type Token } from 'markdown-it'

const parser = new MarkdownParser({ html: false, linkify: false })

/** Markdown as data, for those who make their own view of it: no markup is ever made of it here. */
export function markdownTokens(text: string): MarkdownToken[] {
  return parser.parse(text, {}).map(tokenOf)
}

function tokenOf({ type, nesting, tag, content, info, attrs, hidden, children }: Token): MarkdownToken {
  const isInline = children !== null && children.length > 0
  return {
    type,
    nesting,
    ...(tag === '' ? {} : { tag }),
    ...(content === '' || isInline ? {} : { content }),
    ...(info === '' ? {} : { info }),
    ...(attrs === null || attrs.length === 0
      ? {}
      : { attrs: Object.fromEntries(attrs.map(([name, value]) => [name, String(value)])) }),
    ...(hidden ? { hidden } : {}),
    ...(isInline ? { children: children.map(tokenOf) } : {}),
  }
}
