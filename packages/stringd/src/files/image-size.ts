/** Where an SVG may declare its size. */
const SVG_HEAD_BYTES = 8_192

export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** The size of a PNG, GIF, JPEG, WebP or SVG image in pixels; null when the bytes do not tell. */
export function imageSize(bytes: Uint8Array): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = pngSize(view) ?? gifSize(view) ?? jpegSize(view) ?? webpSize(view) ?? svgSize(bytes)
  return size !== null && size.width > 0 && size.height > 0 ? size : null
}

function pngSize(view: DataView): ImageSize | null {
  if (!startsWith(view, 0, '\x89PNG\r\n\x1a\n') || !startsWith(view, 12, 'IHDR') || view.byteLength < 24) return null
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

function gifSize(view: DataView): ImageSize | null {
  if (!(startsWith(view, 0, 'GIF87a') || startsWith(view, 0, 'GIF89a')) || view.byteLength < 10) return null
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

/** Goes from segment to segment until one that starts a frame. */
function jpegSize(view: DataView): ImageSize | null {
  if (!startsWith(view, 0, '\xff\xd8\xff')) return null
  let at = 2
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1)
    if (isFrame(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    at += marker === 0xff ? 1 : isBareMarker(marker) ? 2 : 2 + view.getUint16(at + 2)
  }
  return null
}

/** SOF0 to SOF15 without DHT, JPG and DAC, which lie between them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function isBareMarker(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
}

function webpSize(view: DataView): ImageSize | null {
  if (!startsWith(view, 0, 'RIFF') || !startsWith(view, 8, 'WEBP') || view.byteLength < 30) return null
  if (startsWith(view, 12, 'VP8 ')) {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  }
  if (startsWith(view, 12, 'VP8L')) {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (!startsWith(view, 12, 'VP8X')) return null
  return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 }
}

/** From `width` and `height` in pixels, else from the view box. */
function svgSize(bytes: Uint8Array): ImageSize | null {
  const head = new TextDecoder().decode(bytes.subarray(0, SVG_HEAD_BYTES))
  if (!/^\s*</.test(head)) return null
  const tag = /<svg\s[^>]*/i.exec(head)?.[0]
  if (tag === undefined) return null
  const width = pixels(tag, 'width')
  const height = pixels(tag, 'height')
  if (width !== null && height !== null) return { width, height }
  const box =
    /\sviewBox\s*=\s*["']\s*([^"']*)["']/i
      .exec(tag)?.[1]
      ?.split(/[\s,]+/)
      .map(Number) ?? []
  const [, , boxWidth = 0, boxHeight = 0] = box
  return boxWidth > 0 && boxHeight > 0 ? { width: boxWidth, height: boxHeight } : null
}

function pixels(tag: string, name: string): number | null {
  const value = new RegExp(`\\s${name}\\s*=\\s*["']\\s*(\\d+(?:\\.\\d+)?)(?:px)?\\s*["']`, 'i').exec(tag)?.[1]
  return value === undefined ? null : Number(value)
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
}

function startsWith(view: DataView, at: number, signature: string): boolean {
  if (view.byteLength < at + signature.length) return false
  return Array.from(signature).every((character, index) => view.getUint8(at + index) === character.charCodeAt(0))
}
