export type Language = 'json' | 'toml' | 'yaml'

/** What a configuration can say, in whichever language. */
export type ConfigValue = string | number | boolean | readonly ConfigValue[] | { readonly [name: string]: ConfigValue }

type Table = { readonly [name: string]: ConfigValue }

/** A file that holds nothing but the entry, at its place. */
export function renderConfig(language: Language, at: readonly string[], entry: ConfigValue): string {
  const whole = at.reduceRight<ConfigValue>((inner, name) => ({ [name]: inner }), entry)
  switch (language) {
    case 'json':
      return renderJson(whole)
    case 'toml':
      return renderToml(at, entry)
    case 'yaml':
      return renderYaml(whole)
  }
}

/** Each line but the first is indented, since the first follows a name. */
export function renderJson(value: ConfigValue, indent = '', step = '  '): string {
  return JSON.stringify(value, null, step).replaceAll('\n', `\n${indent}`)
}

/** A table with its header. */
export function renderToml(at: readonly string[], entry: ConfigValue): string {
  return [`[${at.map(tomlKey).join('.')}]`, ...tomlPairs(entry).map(([name, value]) => `${name} = ${value}`)].join('\n')
}

/** Values are quoted as in JSON, which TOML reads too. */
function tomlValue(value: ConfigValue): string {
  if (isList(value)) return `[${value.map(tomlValue).join(', ')}]`
  if (!isTable(value)) return JSON.stringify(value)
  return `{ ${tomlPairs(value)
    .map(([name, inner]) => `${name} = ${inner}`)
    .join(', ')} }`
}

function tomlPairs(value: ConfigValue): [string, string][] {
  return isTable(value) ? Object.entries(value).map(([name, inner]) => [tomlKey(name), tomlValue(inner)]) : []
}

function tomlKey(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name)
}

/** Lists and tables that hold something are blocks; every line is indented. */
export function renderYaml(value: ConfigValue, indent = ''): string {
  if (isList(value)) return value.map((item) => yamlItem(item, indent)).join('\n')
  if (!isTable(value)) return `${indent}${yamlScalar(value)}`
  return Object.entries(value)
    .map(([name, inner]) => `${indent}${yamlScalar(name)}:${yamlBehind(inner, indent)}`)
    .join('\n')
}

/** Behind its dash a table begins on the same line. */
function yamlItem(item: ConfigValue, indent: string): string {
  const text = renderYaml(item, `${indent}  `)
  return `${indent}- ${text.slice(indent.length + 2)}`
}

function yamlBehind(value: ConfigValue, indent: string): string {
  if (isList(value)) return value.length === 0 ? ' []' : `\n${renderYaml(value, `${indent}  `)}`
  if (!isTable(value)) return ` ${yamlScalar(value)}`
  return Object.keys(value).length === 0 ? ' {}' : `\n${renderYaml(value, `${indent}  `)}`
}

/** Whatever could be read as something else is quoted, as in JSON, which YAML reads too. */
function yamlScalar(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value)
  const isPlain = /^[A-Za-z/][\w./-]*$/.test(value) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(value)
  return isPlain ? value : JSON.stringify(value)
}

function isList(value: ConfigValue): value is readonly ConfigValue[] {
  return Array.isArray(value)
}

function isTable(value: ConfigValue): value is Table {
  return typeof value === 'object' && !isList(value)
}
