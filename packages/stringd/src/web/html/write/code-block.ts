import { cleanText } from '../read/clean-text.ts'
import { BLOCKS } from '../read/elements.ts'
import { attribute, elementsOf, findElement, type HtmlElement, textOf } from '../read/tree.ts'
import { longestRun } from './escape.ts'

const LANGUAGE_CLASSES: readonly RegExp[] = [
  /(?:^|\s)lang(?:uage)?-([\w+#.-]+)/i,
  /(?:^|\s)highlight-source-([\w+#.-]+)/i,
  /(?:^|\s)highlight-(?:text-)?([\w+#.-]+)/i,
  /(?:^|\s)brush:\s*([\w+#.-]+)/i,
  /(?:^|\s)(?:hljs|sourceCode|prettyprint|prism)\s+([\w+#.-]+)/,
]

const NO_LANGUAGE: ReadonlySet<string> = new Set(
  'default none nohighlight no-highlight plain plaintext text txt unknown linenums'.split(' '),
)

/** Line numbers, copy buttons and the like. */
const GUTTER =
  /(^|\s)(line-?nums?|line-?numbers?(-rows)?|linenos?(div)?|gutter|lnt?|blob-num|hljs-ln-numbers|copy(-?(btn|button|code|to-clipboard))?|clipboard(-copy)?|copybtn|btn-clipboard|zeroclipboard-container)(\s|$)/i

/** The languages that elements name, each found out once however much code is inside. */
export type Languages = Map<HtmlElement, string>

/** A fenced code block, or null when there is no code in it. */
export function codeBlock(pre: HtmlElement, languages: Languages): string | null {
  const code = codeText(pre)
  if (code.trim() === '') return null
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1))
  return `${fence}${languageOf(pre, languages)}\n${code}\n${fence}`
}

/** Whether an element only numbers the lines of the code beside it. */
export function isGutter(element: HtmlElement): boolean {
  return GUTTER.test(attribute(element, 'class'))
}

/** The lines of the code, without an empty one at either end. */
export function codeText(pre: HtmlElement): string {
  const parts: string[] = []
  collect(pre, parts, hasUnbrokenLines(pre))
  const lines = cleanText(parts.join('')).split(/\r\n|\r|\n/)
  const isBlank = (line: string) => line.trim() === ''
  const first = lines.findIndex((line) => !isBlank(line))
  const last = lines.findLastIndex((line) => !isBlank(line))
  return lines
    .slice(Math.max(first, 0), last + 1)
    .map((line) => line.trimEnd())
    .join('\n')
}

function collect(parent: HtmlElement, parts: string[], breakLines: boolean): void {
  for (const node of parent.children) {
    if (typeof node === 'string') parts.push(node)
    else if (isGutter(node)) continue
    else if (node.name === 'br') parts.push('\n')
    else {
      collect(node, parts, breakLines)
      if (isLine(node, breakLines) && !(parts.at(-1) ?? '').endsWith('\n')) parts.push('\n')
    }
  }
}

function isLine(element: HtmlElement, breakLines: boolean): boolean {
  if (breakLines && hasLineClass(element)) return true
  return BLOCKS.has(element.name) && !['td', 'th', 'table', 'tbody'].includes(element.name)
}

/** Some highlighters make every line an element and leave the line feeds to the style sheet. */
function hasUnbrokenLines(pre: HtmlElement): boolean {
  let lines = 0
  const second = findElement(pre, (element) => {
    if (hasLineClass(element)) lines += 1
    return lines > 1
  })
  return second !== null && !textOf(pre).trim().includes('\n')
}

function hasLineClass(element: HtmlElement): boolean {
  return /(^|\s)(line|code-line|token-line|view-line)(\s|$)/.test(attribute(element, 'class'))
}

/** From what is directly inside, from the code itself, and from the two elements around it. */
function languageOf(pre: HtmlElement, languages: Languages): string {
  const around = [pre, pre.parent, pre.parent?.parent].filter((each) => each !== null && each !== undefined)
  for (const element of [...elementsOf(pre).slice(0, 2), ...around]) {
    const language = languages.get(element) ?? ownLanguage(element)
    languages.set(element, language)
    if (language !== '') return language
  }
  return ''
}

function ownLanguage(element: HtmlElement): string {
  const data = [attribute(element, 'data-lang'), attribute(element, 'data-language')]
  const classes = attribute(element, 'class')
  const found = [...data, ...LANGUAGE_CLASSES.map((pattern) => pattern.exec(classes)?.[1] ?? '')]
  return found.map((each) => each.toLowerCase()).find(isLanguage) ?? ''
}

function isLanguage(name: string): boolean {
  return /^[\w+#.-]{1,30}$/.test(name) && !NO_LANGUAGE.has(name)
}
