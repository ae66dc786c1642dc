import { type Failure, fail, LIMITS, parseJson } from '@string-os/protocol'
import { entriesOf, textOf } from '../state/json-object.ts'
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
  const manifest = entriesOf(parseJson(text))
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
    if ('code' in file) return file
    files.push(file)
  }
  if (!files.some(({ path }) => path === 'string.md')) return wrong('it has no string.md')
  const delivery = manifest.get('delivery') ?? 'copy'
  if (delivery !== 'link' && delivery !== 'copy') return wrong('its delivery is neither "copy" nor "link"')
  return { ok: true, files, link: delivery === 'link' }
}

function parseFile(item: unknown, index: number, base: string): ManifestFile | Failure {
  const fields = entriesOf(item)
  const path = textOf(fields?.get('path'))
  if (fields === null || path === null) return wrong(`file ${index + 1} has no path`)
  if (!isPackagePath(path)) return badPath(path)
  const [url, content] = [textOf(fields.get('url')), textOf(fields.get('content'))]
  if ((url === null) === (content === null)) return wrong(`${path} needs either a url or a content`)
  if (url === null) return { path, content: content ?? '' }
  return URL.canParse(url, base) ? { path, url: new URL(url, base).href } : wrong(`the url of ${path} is none`)
}

function wrong(reason: string): Failure {
  return fail(
    'INVALID_PARAMS',
    `The manifest cannot be used: ${reason}`,
    'A manifest is {"files": [{"path": "string.md", "url" or "content": "…"}]}',
  )
}
