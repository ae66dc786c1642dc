import type { Token } from 'markdown-it'
import { Component, type ComponentChildren, h, type VNode } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { GrowingMarkdown, type MarkdownBlock } from './blocks.ts'
import { linked, Outward, outward } from './link.tsx'
import { textPart } from './parts.ts'
import { shownLine, shownText } from './shown.ts'
import { More } from './visible.tsx'

/** Opens an address of the document itself; where there is none such an address is text. */
export type OpenTarget = (target: string) => void

/** A page that somebody else wrote, made of nodes: nothing in it is markup, nothing is loaded. */
export function Markdown({ text, open }: { text: string; open?: OpenTarget }): VNode {
  const [parts, setParts] = useState(1)
  const growing = useRef(new GrowingMarkdown())
  const { shown, left } = textPart(text, parts)
  const blocks = useMemo(() => growing.current.blocks(shown), [shown])
  return (
    <bdi class="prose">
      {blocks.map((block, index) => (
        <Block key={index} block={block} {...(open === undefined ? {} : { open })} />
      ))}
      <More left={left} onMore={() => setParts(parts + 1)} />
    </bdi>
  )
}

/** Drawn again only when its source changed, so that a long answer that grows costs what its end costs. */
class Block extends Component<{ block: MarkdownBlock; open?: OpenTarget }> {
  override shouldComponentUpdate({ block }: { block: MarkdownBlock }): boolean {
    return block.source !== this.props.block.source || block.tokens.length !== this.props.block.tokens.length
  }

  override render(): ComponentChildren {
    const { block, open } = this.props
    return nodesOf(block.tokens, open)
  }
}

/** What stands for a token that opens something; anything else becomes its content alone. */
const TAGS: Readonly<Record<string, string>> = {
  paragraph_open: 'p',
  blockquote_open: 'blockquote',
  bullet_list_open: 'ul',
  ordered_list_open: 'ol',
  list_item_open: 'li',
  table_open: 'table',
  thead_open: 'thead',
  tbody_open: 'tbody',
  tr_open: 'tr',
  th_open: 'th',
  td_open: 'td',
  em_open: 'em',
  strong_open: 'strong',
  s_open: 's',
}

/** Headings of a document stand below those of the page. */
const HEADINGS: Readonly<Record<string, string>> = { h1: 'h3', h2: 'h4', h3: 'h5', h4: 'h6', h5: 'h6', h6: 'h6' }

function nodesOf(tokens: readonly Token[], open: OpenTarget | undefined): ComponentChildren[] {
  const nodes: ComponentChildren[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) continue
    if (token.nesting !== 1) {
      nodes.push(leaf(token, open))
      continue
    }
    const end = closing(tokens, at)
    nodes.push(branch(token, tokens.slice(at + 1, end), open))
    at = end
  }
  return nodes
}

/** Where what is opened here is closed again. */
function closing(tokens: readonly Token[], start: number): number {
  let depth = 0
  for (let at = start; at < tokens.length; at += 1) {
    depth += tokens[at]?.nesting ?? 0
    if (depth === 0) return at
  }
  return tokens.length
}

function branch(token: Token, inside: readonly Token[], open: OpenTarget | undefined): ComponentChildren {
  const children = nodesOf(inside, open)
  if (token.type === 'link_open') return link(String(token.attrGet('href') ?? ''), inside, children, open)
  if (token.hidden) return children
  if (token.type === 'heading_open') return h(HEADINGS[token.tag] ?? 'h6', {}, children)
  if (token.type === 'ordered_list_open') return <ol start={Number(token.attrGet('start') ?? 1)}>{children}</ol>
  const tag = TAGS[token.type]
  return tag === undefined ? children : h(tag, {}, children)
}

function link(
  href: string,
  inside: readonly Token[],
  children: ComponentChildren[],
  open: OpenTarget | undefined,
): ComponentChildren {
  const text = inside.map(({ content }) => content).join('')
  const url = outward(href)
  if (url !== null) {
    return (
      <Outward url={url} text={text}>
        {children}
      </Outward>
    )
  }
  // Any other scheme, and what leads nowhere here, is shown for what it is.
  if (open === undefined || /^[a-z][a-z\d+.-]*:/i.test(href) || href.startsWith('//')) {
    return [children, <span class="leads"> ({shownLine(href.slice(0, 200))})</span>]
  }
  return (
    <button type="button" class="inner" onClick={() => open(href)}>
      {children}
    </button>
  )
}

function leaf(token: Token, open: OpenTarget | undefined): ComponentChildren {
  switch (token.type) {
    case 'inline':
      return nodesOf(token.children ?? [], open)
    case 'text':
      return linked(token.content)
    case 'code_inline':
      return <code>{shownLine(token.content)}</code>
    case 'fence':
    case 'code_block':
      return (
        <pre>
          <code>{shownText(token.content.replace(/\n$/, ''))}</code>
        </pre>
      )
    case 'softbreak':
      return '\n'
    case 'hardbreak':
      return <br />
    case 'hr':
      return <hr />
    case 'image':
      return <Image alt={token.content} source={String(token.attrGet('src') ?? '')} />
    default:
      return token.content === '' ? null : linked(token.content)
  }
}

/** An image would be a request to wherever its author likes. */
function Image({ alt, source }: { alt: string; source: string }): VNode {
  return (
    <span class="image">
      image: {shownLine(alt === '' ? 'without a description' : alt)}{' '}
      <span class="leads">({shownLine(source.slice(0, 200))})</span>
    </span>
  )
}
