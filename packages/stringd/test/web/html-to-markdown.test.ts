import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { htmlToMarkdown } from '../../src/web/html-to-markdown.ts'

const BASE = 'https://docs.test/guide/page.html'

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')

async function markdown(html: string): Promise<string> {
  return (await htmlToMarkdown(html, BASE)).markdown
}

describe('a page of documentation', () => {
  it('becomes the Markdown that a person would write', async () => {
    const page = await htmlToMarkdown(
      fixture('docs-page.html'),
      'https://docs.lantern.example/docs/scheduler/configure.html',
    )
    expect(page.markdown).toBe(fixture('docs-page.md'))
    expect(page.title).toBe('Configuring the Lantern scheduler — Lantern Docs')
  })
})

describe('a whole page', () => {
  it.each([
    ['an article', 'article-page'],
    ['a reference', 'reference-page'],
    ['tags in disorder', 'messy-page'],
  ])('of %s becomes the same Markdown as ever', async (_what, name) => {
    expect(await markdown(fixture(`${name}.html`))).toBe(fixture(`${name}.md`))
  })
})

/** Each piece of HTML with its Markdown, without the line feed at the end. */
const PIECES: Record<string, Record<string, string>> = {
  text: {
    '': '',
    'a   b\n\n c': 'a b c',
    '<p>a&nbsp;&nbsp;b&shy;c&#8203;d': 'a bcd',
    '&lt;b&gt; &amp;amp; &copy; &#x41; &notit &#8217;': '\\<b> \\&amp; © A ¬it ’',
    '<p>a<br>b<br><br>c': 'a\\\nb\n\nc',
    '<p># a<p>- b<p>1. c<p>&gt; d<p>+ e<p>===<p>--- ': '\\# a\n\n\\- b\n\n1\\. c\n\n\\> d\n\n\\+ e\n\n\\===\n\n\\---',
    'a*b* _c_ d_e `f` [g](h) ~~i~~ \\': 'a\\*b\\* \\_c\\_ d_e \\`f\\` \\[g\\](h) \\~\\~i\\~\\~ \\\\',
    'a < b, 3 > 2, a <- b': 'a < b, 3 > 2, a <- b',
    '&lt;𝒞=a:b&gt;/ls&lt;/𝒞&gt;': '\\<𝒞=a:b>/ls\\</𝒞>',
    'a\u0000\u0001\u001bb&#1;c': 'abc',
    'a&#1;b &lt;c &eacute;': 'ab \\<c é',
    '&#0;&#128;&#xd800;&#99999999; &ampx &amp &nosuch;': '�€�� &x & \\&nosuch;',
    '&NotEqualTilde; &acE;': '≂̸ ∾̳',
  },
  'inline elements': {
    '<b>a</b> <strong>b</strong> <i>c</i> <em>d</em>': '**a** **b** *c* *d*',
    'x<b> a </b>y': 'x **a** y',
    '<b>a:</b>b <b>c</b>d': '<strong>a:</strong>b **c**d',
    '<b>a</b><b>b</b>': '**a**<strong>b</strong>',
    '<b><b>a</b></b> <b></b> <i> </i>b': '**a** b',
    '<b>a<br></b>b': '**a**\\\nb',
    '<del>a</del> <s>b</s> <ins>c</ins> <u>d</u>': '~~a~~ ~~b~~ c d',
    'x<sup>2</sup> H<sub>2</sub>O <mark>m</mark>': 'x<sup>2</sup> H<sub>2</sub>O <mark>m</mark>',
    'a<sup><a href="#n">1</a></sup>': 'a[1](https://docs.test/guide/page.html#n)',
    '<kbd>Ctrl</kbd>+<kbd>C</kbd> <samp>s</samp> <var>v</var> <q>q</q>': '`Ctrl`+`C` `s` *v* “q”',
    '<abbr title="One Two">OT</abbr> <abbr title="One Two">OT</abbr>': 'OT (One Two) OT',
    '<code>a</code> <code>`b`</code> <code>c``d</code> <code>*</code> <code> </code>': '`a` `` `b` `` ```c``d``` `*`',
    '<code>a<br>b\n  c</code>': '`a b c`',
    '<span><font><span>a</span></font></span><x-y>b</x-y>': 'ab',
    'a <b> b</b> c<i>d </i> e<i> f </i>g': 'a **b** c*d* e *f* g',
    '<i>a </i><b> b</b>': '*a* <strong>b</strong>',
    'a<b>　b　</b>c': 'a　**b**　c',
    '<b>a <img src="i.png" alt="i"> b</b>': '**a ![i](https://docs.test/guide/i.png) b**',
    '<b><i>a</i></b> <b>**</b>c <b><code>**</code></b>d': '***a*** <strong>\\*\\*</strong>c <strong>`**`</strong>d',
    'a <br> b<b> <br> c</b>': 'a\\\nb\\\n**c**',
  },
  links: {
    '<a href="x">a</a> <a href="/x?a=1&amp;b=2&copy=3">b</a>':
      '[a](https://docs.test/guide/x) [b](https://docs.test/x?a=1&b=2&copy=3)',
    '<a href="#p">a</a>': '[a](https://docs.test/guide/page.html#p)',
    '<base href="/other/"><a href="x">a</a> <a href="#p">b</a>':
      '[a](https://docs.test/other/x) [b](https://docs.test/guide/page.html#p)',
    '<a href="javascript:x()">a</a> <a href="data:text/html,x">b</a> <a href=" JaVaScript:x">c</a> <a href="file:///x">d</a>':
      'a b c d',
    '<a href="mailto:a@b.test">a</a> <a name="x">b</a> <a href="http://[">c</a>': '[a](mailto:a@b.test) b c',
    '<a href="/a b(c">x</a> <a href="/a_(b)">y</a>': '[x](https://docs.test/a%20b%28c) [y](https://docs.test/a_(b))',
    '<a href="x">a<br>b</a> <a href="y"></a>c': '[a b](https://docs.test/guide/x) c',
    '<a href="x"><div><img src="i.png" alt="i"></div><h3>T</h3><p>text</p></a>':
      '![i](https://docs.test/guide/i.png)\n\n### [T](https://docs.test/guide/x)\n\ntext',
    '<a href="x">a<a href="y">b': '[a](https://docs.test/guide/x)[b](https://docs.test/guide/y)',
  },
  images: {
    '<img src="a.png" alt="A [b]">': '![A \\[b\\]](https://docs.test/guide/a.png)',
    '<img src="a.png">': '![](https://docs.test/guide/a.png)',
    'a<img src="a.png" alt="">b<img src="p.gif" width="1" height="1">': 'ab',
    '<img src="data:image/png;base64,AAAA" alt="A"> <img src="data:image/gif;x" data-src="/b.png" alt="B">':
      'A ![B](https://docs.test/b.png)',
    '<figure><img src="a.png" alt=""><figcaption>A <b>b</b></figcaption></figure>':
      '![](https://docs.test/guide/a.png)\n\nA **b**',
    '<a href="x"><img src="a.png" alt="A"></a>': '[![A](https://docs.test/guide/a.png)](https://docs.test/guide/x)',
    '<picture><source srcset="b.webp"><img src="a.png" alt="A"></picture>': '![A](https://docs.test/guide/a.png)',
  },
  headings: {
    '<h1>A</h1><h6>B</h6><h2></h2><h3> <br> </h3>': '# A\n\n###### B',
    '<h2>A<a href="#a">#</a></h2><h2><a href="#b">B</a></h2><h2>C <a href="#c">Permalink</a></h2>':
      '## A\n\n## B\n\n## C',
    '<h2><a href="#l">Link</a></h2>': '## Link',
    '<h2><b>A</b> <code>b</code> <a href="x">c</a><br>d</h2>': '## A `b` [c](https://docs.test/guide/x) d',
    '<h2>A</h2><a class="anchor" href="#a"></a>b': '## A\n\nb',
    '<h3><button>A</button></h3>b<button>c</button>': '### A\n\nb',
    '<h2>a<div>b</div></h2>c': '## ab\n\nc',
  },
  lists: {
    '<ul><li>a<li>b<ul><li>c</ul><li>d</ul>': '- a\n- b\n  - c\n- d',
    '<ol><li>a<ul><li>b</ul><li>c</ol>': '1. a\n   - b\n2. c',
    '<ol start="9"><li>a<li>b<p>c<li value="20">d<li>e</ol>': '9. a\n\n10. b\n\n    c\n\n20. d\n\n21. e',
    '<ol reversed><li>a<li>b</ol>': '2. a\n1. b',
    '<ol start="-3"><li>a</ol>': '1. a',
    '<ul><li><p>a</p></li><li><p>b</p></li></ul>': '- a\n- b',
    '<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>': '- a\n  - b\n- c',
    '<ul><li>a</ul><ul><li>b</ul><ol><li>c</ol><ol><li>d</ol>': '- a\n\n* b\n\n1. c\n\n1) d',
    '<ul><li></li><li> <li>a</ul>b': '- a\n\nb',
    '<ul><li><input type=checkbox checked> a<li><p><input type=checkbox>b</p></ul>': '- [x] a\n- [ ] b',
    '<ul><li>a<pre>x\ny</pre></ul>': '- a\n\n  ```\n  x\n  y\n  ```',
    '<ul><li>- a<li># b</ul>': '- \\- a\n- \\# b',
    '<dl><dt>A<dd>a<dt>B<dt>C<dd>b<p>c</dl>': '**A**\n: a\n\n**B**, **C**\n: b\n\n  c',
    '<dl><div><dt><b>A</b></dt><dd>a</dd></div></dl>': '**A**\n: a',
  },
  tables: {
    '<table><tr><th>a<th>b<tr><td>1<td>2</table>': '| a | b |\n| --- | --- |\n| 1 | 2 |',
    '<table><thead><tr><td>a<td>b<tbody><tr><td>1</table>': '| a | b |\n| --- | --- |\n| 1 |',
    '<table><tr><td>a<td>b<tr><td>c<td>d</table>': '|  |  |\n| --- | --- |\n| a | b |\n| c | d |',
    '<table><tr><th align=left>a<th style="text-align:center">b<th align=right>c<tr><td>1<td>2<td>3</table>':
      '| a | b | c |\n| :--- | :---: | ---: |\n| 1 | 2 | 3 |',
    '<table><tr><td><th>x<tr><th>a<td>1|2<br>3</table>': '|  | x |\n| --- | --- |\n| a | 1\\|2<br>3 |',
    '<table><tr><th>a<th>b<tr><td><p>x</p><p>y</p><td><ul><li>p<li>q</ul><tr><td><pre>m\nn</pre><td></table>':
      '| a | b |\n| --- | --- |\n| x<br>y | • p<br>• q |\n| `m`<br>`n` |  |',
    '<table><tr><th>a<th>b<th>c<tr><td rowspan=2>1<td colspan=2>2<tr><td>3<td>4</table>':
      '| a | b | c |\n| --- | --- | --- |\n| 1 | 2 |  |\n|  | 3 | 4 |',
    '<table><tr><td><table><tr><td>a<td>b</table><td><h2>c</h2></table>': '|  |  |\n| --- | --- |\n| a | b |\n\n## c',
    '<table role=presentation><tr><td>a<td>b</table>': 'a\n\nb',
    '<table><tr><td>only</table>': 'only',
    '<table>lost<tr><td>a<td>b</table>': 'lost\n\n|  |  |\n| --- | --- |\n| a | b |',
    '<table><td>a<td>b</table>': '|  |  |\n| --- | --- |\n| a | b |',
    '<table><tr><td></table>a': 'a',
    '<table><caption><h3>A</h3><p>b <i>c</i></p><ul><li>d<li>e</ul></caption><tr><th>1<th>2<tr><td>3<td>4</table>':
      'A b *c* d e\n\n| 1 | 2 |\n| --- | --- |\n| 3 | 4 |',
    '<tr><td>a</td></tr>': 'a',
  },
  code: {
    '<pre>a\n  b\n</pre>': '```\na\n  b\n```',
    '<pre><code class="language-js">a &lt; b</code></pre>': '```js\na < b\n```',
    '<pre class="lang-C++">a</pre><pre class="brush: php; x">b</pre><pre data-lang=go>c</pre>':
      '```c++\na\n```\n\n```php\nb\n```\n\n```go\nc\n```',
    '<div class="highlight-source-ruby"><pre>a</pre></div><div class="language-py x"><div><pre><code>b</code></pre></div></div>':
      '```ruby\na\n```\n\n```py\nb\n```',
    '<pre><code class="language-plaintext">a</code></pre>': '```\na\n```',
    '<pre>```\nx\n````</pre>': '`````\n```\nx\n````\n`````',
    '<pre>a<br>b</pre><pre><div>c</div><div>d</div></pre>': '```\na\nb\n```\n\n```\nc\nd\n```',
    '<pre><span class="line">a</span><span class="line">b</span></pre>': '```\na\nb\n```',
    '<pre><span class="line-number">1</span>a<button>Copy</button><span class="copy-btn">Copy</span></pre>':
      '```\na\n```',
    '<pre> </pre>a': 'a',
    '<pre>* _ [ \\</pre>': '```\n* _ [ \\\n```',
  },
  'other blocks': {
    '<blockquote>a<p>b<blockquote>c</blockquote></blockquote>': '> a\n>\n> b\n>\n> > c',
    'a<hr><hr>b<hr>': 'a\n\n---\n\nb',
    '<details><summary>A</summary><p>b</details>': '**A**\n\nb',
    '<div>a<div>b</div>c</div>': 'a\n\nb\n\nc',
    '<p>a<div>b</div>c': 'a\n\nb\n\nc',
    '<b><p>a</p><p>b</p></b>': 'a\n\nb',
    '<span>a<div>b</div></span>c': 'a\n\nb\n\nc',
    '<address>a<br>b</address>': 'a\\\nb',
  },
  'what is no content': {
    '<script>a</script><style>b</style><noscript>c</noscript><template>d</template>e': 'e',
    '<!-- a --><!doctype html><?x?>b</><!>': 'b',
    '<p hidden>a<p aria-hidden=true>b<p style="display: none">c<p class="sr-only">d<p>e': 'e',
    '<nav>a</nav><header>b</header><footer>c</footer><aside>d</aside><p>e': 'e',
    '<header><h1>a</h1></header>b': '# a\n\nb',
    '<div class="cookie-banner">a</div><div id="onetrust-consent-sdk">b</div><section id="cookies">c</section>': 'c',
    '<form><input><select><option>a</select><label>b</label></form><form><h2>c</h2><input>d</form>': '## c\n\nd',
    '<svg><text>a</text></svg><iframe>b</iframe><video>c</video>d': 'd',
    '<svg><p>a': 'a',
    '<nav><a href="x">a</a></nav>': '[a](https://docs.test/guide/x)',
  },
}

describe('HTML', () => {
  for (const [group, pieces] of Object.entries(PIECES)) {
    it.each(Object.entries(pieces))(`with ${group} is written as Markdown: %s`, async (html, expected) => {
      expect(await markdown(html)).toBe(expected === '' ? '' : `${expected}\n`)
    })
  }
})

describe('the main content', () => {
  const prose = 'word '.repeat(60)

  it.each([
    ['main', `<main>${prose}</main>`],
    ['a part with the role', `<div role=main>${prose}</div>`],
    ['an article', `<article>${prose}</article>`],
    ['the largest of several', `<main>x</main><main>${prose}</main>`],
  ])('is found in %s', async (_where, html) => {
    expect(await markdown(`<div>before</div>${html}<div>after</div>`)).toBe(`${prose.trim()}\n`)
  })

  it('is the whole page where the part that claims to be it is all but empty', async () => {
    expect(await markdown(`<main>x</main><p>${prose}`)).toContain(`x\n\n${prose.trim()}`)
  })

  it('is the whole page where there are many articles', async () => {
    expect(await markdown(`<article>${prose}</article><article>${prose}</article>`)).toBe(
      `${prose.trim()}\n\n${prose.trim()}\n`,
    )
  })

  it('keeps its own header and its notes at the side', async () => {
    const html = `<main><header><p>by me</header><aside>note</aside>${prose}</main><aside>menu</aside>`
    expect(await markdown(html)).toBe(`by me\n\nnote\n\n${prose.trim()}\n`)
  })
})

describe('a title', () => {
  it.each([
    ['<title> A &amp;\n B </title>', 'A & B'],
    ['<title></title>', null],
    ['<p>a', null],
    ['<svg><title>a</title></svg><title>b</title>', 'b'],
  ])('%j is %j', async (html, title) => {
    expect((await htmlToMarkdown(html, BASE)).title).toBe(title)
  })
})
