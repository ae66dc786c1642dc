/** `/act.NAME line` and `/act NAME line` are one; a flag where the name would be belongs to the command itself. */
export function namedCall(suffix: string, rest: string): { readonly name: string; readonly line: string } {
  if (suffix !== '') return { name: suffix, line: rest }
  const [, name = '', line = ''] = /^(\S*)\s*(.*)$/s.exec(rest) ?? []
  return name.startsWith('-') ? { name: '', line: rest.trim() } : { name, line }
}
