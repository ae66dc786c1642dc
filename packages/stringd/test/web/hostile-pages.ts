import { WEB_LIMITS } from '../../src/web/limits.ts'

/** A page of about so many characters. */
export type Page = (chars: number) => string

export const whole = (unit: string, chars: number) => unit.repeat(Math.floor(chars / unit.length))
const repeated =
  (before: string, unit: string, after: string): Page =>
  (chars) =>
    before + whole(unit, chars) + after
export const nested =
  (open: string, close: string): Page =>
  (chars) =>
    `${whole(open, chars / 2)}deep${whole(close, chars / 2)}`
/** What is nested once for each level that a page may have, around something that repeats. */
const within =
  (open: string, unit: string, after: string): Page =>
  (chars) =>
    open.repeat(WEB_LIMITS.htmlDepth - 10) + whole(unit, chars) + after

export const PAGES: Record<string, Page> = {
  'nested divs': nested('<div>', '</div>'),
  'nested block quotes': nested('<blockquote>', '</blockquote>'),
  'nested lists': nested('<ul><li>', '</li></ul>'),
  'nested spans': nested('<span>', '</span>'),
  'nested tables': nested('<table><tr><td>', '</td></tr></table>'),
  'all kinds of emphasis nested': nested('<b><i><a href=x><s>', '</s></a></i></b>'),
  'unclosed list items and definitions': repeated('', '<li>a<dd>b', '<p>deep'),
  'unclosed emphasis in paragraphs': repeated('', '<b id=x><p>a', 'deep'),
  'unclosed links around paragraphs': repeated('', '<a href=x><p>y', '<p>deep'),
  'closing tags without an opening one': repeated('', '</b></div>', 'deep'),
  'a tag with attributes': repeated('<div ', 'a=1 ', '>deep'),
  'nothing but <': repeated('', '<', ' deep'),
  'nothing but spaces that do not break': repeated('', '\u00a0', 'deep'),
  links: repeated('<p>', '<a href="/x">y</a> ', 'deep'),
  'a table of many rows': repeated('<table>', '<tr><td>a<td>b', '</table>deep'),
  'a row of many cells': repeated('<table><tr>', '<td>a', '</table>deep'),
  'cells that claim to span everything': repeated(
    '<table>',
    '<tr><td colspan=9999 rowspan=9999>a<td>b',
    '</table>deep',
  ),
  'text misplaced in a table': repeated('<table>', 'x<b>y</b>', '</table>deep'),
  'a heading full of permalinks': repeated('<h1>deep ', '<a class=anchor href=#x>yy</a>', ''),
  'line breaks': repeated('', 'a<br>', '<p>deep'),
  'references to characters': repeated('', '&amp;&#65;&nope;', ' deep'),
  'code in one element of many classes': (chars) =>
    `<div class="${whole('x ', chars / 2)}">${whole('<pre>a</pre>', chars / 2)}</div>deep`,
  'pictures in nested figures': within('<figure>', '<img src=a>', 'deep'),
  'emphasis in nested headers': within('<header>', '<i>a</i>', '<h1>deep'),
  'emphasis in nested tables': within('<table><tr><td>', '<i>a</i>', 'deep'),
  'emphasis in nested quotes': within('<blockquote>', '<p><i>a</i>', 'deep'),
}

/** What would keep a pattern looking: long runs, and then something that ends the hope. */
export const RUNS: Record<string, Page> = {
  'stars in bold code': repeated('<b><code>', '*', 'x</code></b> deep'),
  'line breaks in bold': repeated('<b>a', `<b>${`<b>${'<br>'.repeat(190)}</b>`.repeat(10)}</b>`, 'b</b> deep'),
  'spaces in bold': repeated('<b>a', ' <!-- -->', '　b</b> deep'),
  'blank lines in code': repeated('<pre><span class=line>a</span><span class=line></span>', '\n', '</pre>deep'),
  'spaces in code': repeated('<pre>', ' ', 'x</pre>deep'),
  'spaces in a permalink': repeated('<h1>deep <a href="#x">direct link to ', ' ', '\nx</a></h1>'),
  'spaces in a class': repeated('<div class="brush:', ' ', '"><pre>a</pre>deep'),
  'spaces in a style': repeated('<div style="display', ' ', '">deep'),
  'spaces in a tag': repeated('<div a', ' ', '>deep'),
  'wide spaces': repeated('<i>a</i>', '　', '<b>x</b>deep'),
  'equals signs': repeated('<p>', '=', ' x<p>deep'),
  backticks: repeated('<code>', '`', 'x</code>deep'),
  parentheses: repeated('<a href="/', '(', 'x">deep</a>'),
  ampersands: repeated('', '&a', ' deep'),
}
