/** One word of a command, whatever it holds. */
export function quote(text: string): string {
  return /^[\w@#%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
