import { isAbsolute, resolve } from 'node:path'
import { invalid, type Parsed } from '@string-os/protocol'

/** Which store is meant: a folder with a SQLite file, or a PostgreSQL server by its URL, which may hold a password. */
export type StoreName =
  | { readonly kind: 'sqlite'; readonly folder: string }
  | { readonly kind: 'postgres'; readonly url: string }

/** `sqlite:FOLDER` or `postgres://…`. What is wrong is told without the text, which may hold a password. */
export function parseStoreName(text: string): Parsed<StoreName> {
  if (/^postgres(?:ql)?:\/\//.test(text)) return { ok: true, value: { kind: 'postgres', url: text } }
  const folder = /^sqlite:(.+)$/s.exec(text)?.[1]
  if (folder === undefined) return invalid('a store is sqlite:FOLDER or postgres://USER@HOST/DATABASE')
  if (!isAbsolute(folder)) return invalid('the folder of a sqlite: store must be an absolute path')
  return { ok: true, value: { kind: 'sqlite', folder: resolve(folder) } }
}
