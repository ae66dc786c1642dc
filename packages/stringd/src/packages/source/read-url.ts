import { type Failure, fail, LIMITS } from '@string-os/protocol'
import type { FetchPage } from '../../web/fetch-page.ts'
import type { WebPage } from '../../web/page.ts'
import { shownUrl } from '../../web/target-url.ts'
import { type Manifest, type ManifestFile, parseManifest } from './manifest.ts'
import { decode, FileCollection, type PackageSource, type SourceIdentity } from './package-files.ts'
import { isArchive, readArchive, whyNoArchive } from './read-archive.ts'

export interface UrlSource {
  readonly kind: 'url'
  readonly url: string
  /** Only the URL is registered. */
  readonly link: boolean
  readonly signal: AbortSignal
}

/** A Markdown file, or a manifest that names or holds all files. */
export async function readUrl(source: UrlSource, fetch: FetchPage): Promise<PackageSource | Failure> {
  const timer = new AbortController()
  const timeout = setTimeout(() => timer.abort(), LIMITS.installMs)
  const signal = AbortSignal.any([source.signal, timer.signal])
  try {
    const read = await readWithin({ ...source, signal }, fetch)
    return !read.ok && timer.signal.aborted ? tooSlow() : read
  } finally {
    clearTimeout(timeout)
  }
}

async function readWithin(source: UrlSource, fetch: FetchPage): Promise<PackageSource | Failure> {
  const page = await fetch(source.url, { from: null, signal: source.signal })
  if (!page.ok) return page
  if (isArchive(page.bytes)) return source.link ? linkedArchive() : readArchive(page.bytes, identityOf(source.url))
  const misnamed = whyNoArchive(new URL(page.url).pathname, shownUrl(new URL(page.url)))
  if (misnamed !== null) return misnamed
  if (page.kind === 'json') {
    const manifest = parseManifest(page.text, page.url)
    return manifest.ok ? readManifest(manifest, page, source, fetch) : manifest
  }
  if (page.kind === 'markdown' || page.mediaType === 'text/plain') return single(page, source)
  return fail(
    'INVALID_TARGET',
    `${shownUrl(new URL(page.url))} is neither a Markdown file nor a manifest, but ${page.mediaType}`,
    'A package is a Markdown file, an archive, or JSON {"files": [{"path", "url" or "content"}]} with a string.md',
    'A git repository is written with git+ before it, or .git at its end',
  )
}

function single(page: WebPage, { url, link }: UrlSource): PackageSource | Failure {
  const decoded = decode(page.bytes, 'The file')
  if (!decoded.ok) return decoded
  const file = { bytes: page.bytes, mode: 0o600 }
  return {
    ok: true,
    files: link ? new Map() : new Map([['string.md', file]]),
    entry: link ? url : 'string.md',
    written: identityOf(url).from,
    text: decoded.text,
    linked: link,
    folder: null,
    ...identityOf(url),
  }
}

async function readManifest(
  manifest: Manifest,
  page: WebPage,
  source: UrlSource,
  fetch: FetchPage,
): Promise<PackageSource | Failure> {
  const shared = { ok: true, ...identityOf(source.url) } as const
  if (source.link || manifest.link) return linkEntry(manifest, page, source, fetch, shared)
  const collection = new FileCollection()
  for (const file of manifest.files) {
    const got = await bytesOf(file, page, source, fetch)
    if (!got.ok) return got
    const { bytes } = got
    const failure = collection.add(file.path, { bytes, mode: isScript(bytes) ? 0o700 : 0o600 })
    if (failure !== null) return failure
  }
  const decoded = decode(collection.files.get('string.md')?.bytes ?? new Uint8Array(), 'string.md')
  if (!decoded.ok) return decoded
  const { files, secrets } = collection
  return { ...shared, files, secrets, entry: 'string.md', text: decoded.text, linked: false, folder: null }
}

/** Of a linked manifest the document itself is opened, each time from where it is. */
async function linkEntry(
  { files }: Manifest,
  page: WebPage,
  source: UrlSource,
  fetch: FetchPage,
  shared: SourceIdentity & { readonly ok: true },
): Promise<PackageSource | Failure> {
  const file = files.find(({ path }) => path === 'string.md')
  if (file?.url === undefined)
    return fail('INVALID_PARAMS', 'A linked package needs a URL of its string.md', 'Install it without --link')
  const got = await bytesOf(file, page, source, fetch)
  if (!got.ok) return got
  const decoded = decode(got.bytes, 'string.md')
  if (!decoded.ok) return decoded
  return { ...shared, files: new Map(), entry: file.url, text: decoded.text, linked: true, folder: null }
}

/** A manifest has no more reach than any page: one from outside fetches nothing from this machine. */
async function bytesOf(
  { path, url, content }: ManifestFile,
  { origin }: WebPage,
  { signal }: UrlSource,
  fetch: FetchPage,
): Promise<{ readonly ok: true; readonly bytes: Uint8Array } | Failure> {
  if (url === undefined) return { ok: true, bytes: Buffer.from(content ?? '') }
  const page = await fetch(url, { from: origin, signal })
  return page.ok ? { ok: true, bytes: page.bytes } : { ...page, system: `${path}: ${page.system}` }
}

/** A manifest knows no modes: what names its interpreter is there to be run. */
function isScript(bytes: Uint8Array): boolean {
  return bytes[0] === 0x23 && bytes[1] === 0x21
}

function linkedArchive(): Failure {
  return fail('INVALID_PARAMS', 'An archive cannot be linked', 'Install it without --link')
}

function tooSlow(): Failure {
  return fail('TIMEOUT', `The package takes longer than ${LIMITS.installMs / 1000} s to fetch`, 'Nothing was installed')
}

function identityOf(typed: string): SourceIdentity {
  const url = new URL(typed)
  url.hash = ''
  return { name: nameIn(typed), from: shownUrl(url), origin: url.href, again: url.href }
}

function nameIn(url: string): string {
  const { pathname, hostname } = new URL(url)
  const last = pathname.split('/').findLast((part) => part !== '') ?? hostname
  return last.replace(/\.tar\.gz$|\.[^.]*$/, '')
}
