import type { DocumentLine } from './document.ts'

/** Where something is wrong, as a reader of the open document is told. */
export function placeText({ file, line }: DocumentLine): string {
  return file === undefined ? `line ${line}` : `${file}, line ${line}`
}
