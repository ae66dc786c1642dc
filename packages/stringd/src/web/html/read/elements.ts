const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Elements without content; of these only some show. */
export const VOID = names('area base br col embed hr img input link meta param source track wbr')

/** Their content is no HTML; none of it but a title is ever shown. */
export const RAW = names('iframe noembed noframes noscript script style textarea title')

/** Elements that are left out, with everything inside. */
export const OPAQUE = names(
  'annotation annotation-xml audio canvas datalist map object optgroup option select svg template video',
)

/** Tags that say nothing about the content; what they enclose stays. */
export const TRANSPARENT = names('body colgroup frameset head html math')

export const SHOWN_VOID = names('br hr img input wbr')

export const HEADINGS = names('h1 h2 h3 h4 h5 h6')

export const CELLS = names('caption td th')

/** Everything that stands in a table by right; a table itself may stand anywhere. */
export const TABLE_PARTS: ReadonlySet<string> = new Set([...names('tbody tfoot thead tr'), ...CELLS])

export const BLOCKS: ReadonlySet<string> = new Set([
  ...names('address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer'),
  ...names('form header hgroup hr legend li listing main menu nav ol p pre search section summary ul'),
  'table',
  ...TABLE_PARTS,
  ...HEADINGS,
])

/** Each level of these prefixes every line of the Markdown. */
export const INDENTING = names('blockquote dir dl menu ol ul')

/** Inline elements that mean something in Markdown. All other inline elements give way to their content. */
export const MEANINGFUL = names(
  'a abbr b cite code del dfn em i kbd mark q s samp strike strong sub sup tt var br img input wbr',
)

/** Inline elements whose nesting is bounded on its own: a sane page nests few. */
export const FORMATTING = names(
  'a abbr b big cite code del dfn em font i kbd mark nobr q s samp small strike strong sub sup tt u var',
)

/** The attributes that have a say; all others are dropped before anything looks at them. */
export const ATTRIBUTES = names(
  'align alt aria-hidden checked class colspan data-lang data-language data-src height hidden href id role rowspan src' +
    ' start style title type value width reversed',
)
