import type { TurnAttachment } from '@string-os/protocol'

/** What a request can carry: a data address is a third longer than its file. */
const FILES_BYTES = 6 * 1024 * 1024

type Read =
  | { readonly ok: true; readonly files: readonly TurnAttachment[] }
  | { readonly ok: false; readonly reason: string }

/** Files as attachments whose address holds them whole. */
export async function readFiles(list: Iterable<File>): Promise<Read> {
  const files = [...list]
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > FILES_BYTES)
    return { ok: false, reason: 'The files have more than 6 MB together. Put them into its home and name their paths' }
  return { ok: true, files: await Promise.all(files.map(attachment)) }
}

async function attachment(file: File): Promise<TurnAttachment> {
  const [kind = ''] = file.type.split('/')
  const type = kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file'
  return { type, url: await dataAddress(file), name: file.name }
}

function dataAddress(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read')))
    reader.readAsDataURL(file)
  })
}
