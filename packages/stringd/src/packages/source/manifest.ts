import { type Failure, fail, LIMITS, parseJson } from '@string-os/protocol'
import { entriesOf, textIn } from '../state/json-object.ts'
import { isPackagePath } from '../state/package-record.ts'
import { badPath } from './package-files.ts'

/** Exactly one of `url` and `content` is there. */
export interface ManifestFile {
  readonly path: string
  readonly url?: string
  readonly content?: string
}

export interface Manifest {
  readonly ok: true
  readonly files: readonly ManifestFile[]
  readonly link: boolean
}

/** `{files: [{path, url|content}], delivery?}`. URLs may be relative to the manifest's own. All is checked before anything is fetched. */
export function parseManifest(text: string, base: string): Manifest | Failure {
  const parsed = parseJson(text)
  if (parsed === undefined) return wrong('it is no JSON that can be read to its end')
  const manifest = entriesOf(parsed)
  const list = manifest?.get('files')
  if (manifest === null || !Array.isArray(list)) return wrong('it has no list "files"')
  if (list.length > LIMITS.packageFiles)
    return fail(
      'TOO_LARGE',
      `A package has at most ${LIMITS.packageFiles} files`,
      'Leave out files that it does not use',
    )
  const files: ManifestFile[] = []
  for (const [index, item] of list.entries()) {
    const file = parseFile(item, index, base)
    if (!file.ok) return file
    files.push(file.file)
  }
  if (!files.some(({ path }) => path === 'string.md')) return wrong('it has no string.md')
  const delivery = manifest.get('delivery') ?? 'copy'
  if (delivery !== 'link' && delivery !== 'copy') return wrong('its delivery is neither "copy" nor "link"')
  return { ok: true, files, link: delivery === 'link' }
}

function parseFile(
  item: unknown,
  index: number,
  base: string,
): { readonly ok: true; readonly file: ManifestFile } | Failure {
  const fields = entriesOf(item)
  const path = textIn(fields?.get('path'))
  if (fields === null || path === null) return wrong(`file ${index + 1} has no path`)
  if (!isPackagePath(path)) return badPath(path)
  const [url, content] = [textIn(fields.get('url')), textIn(fields.get('content'))]
  if ((url === null) === (content === null)) return wrong(`${path} needs either a url or a content`)
  if (url === null) return { ok: true, file: { path, content: content ?? '' } }
  if (!URL.canParse(url, base)) return wrong(`the url of ${path} is none`)
  return { ok: true, file: { path, url: new URL(url, base).href } }
}

function wrong(reason: string): Failure {
  return fail(
    'INVALID_PARAMS',
    `The manifest cannot be used: ${reason}`,
    'A manifest is {"files": [{"path": "string.md", "url" or "content": "…"}]}',
  )
}
