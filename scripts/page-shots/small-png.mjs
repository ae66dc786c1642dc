import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const MOST_COLOURS = 256

/** A picture of at most 256 colours, as small as its format allows; `pixels` are RGBA, row by row. */
export function smallPng({ width, height, pixels }) {
  const used = usedColours(pixels)
  for (let bits = 8; ; bits -= 1) {
    const colours = paletteOf(used, bits)
    if (colours.size <= MOST_COLOURS) return encode(width, height, pixels, bits, colours)
  }
}

/** Those that most pixels have come first. */
function usedColours(pixels) {
  const counts = new Map()
  for (let at = 0; at < pixels.length; at += 4) {
    const colour = colourAt(pixels, at)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([colour]) => colour)
}

/** What is alike in its upper bits is one colour, the most used of them. */
function paletteOf(used, bits) {
  const colours = new Map()
  for (const colour of used) {
    const key = keyOf(colour, bits)
    if (!colours.has(key))
      colours.set(key, { index: colours.size, rgb: [colour >> 16, (colour >> 8) & 255, colour & 255] })
  }
  return colours
}

function colourAt(pixels, at) {
  return (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2]
}

function keyOf(colour, bits) {
  const kept = (255 << (8 - bits)) & 255
  return colour & ((kept << 16) | (kept << 8) | kept)
}

function encode(width, height, pixels, bits, colours) {
  // Each row begins with its filter, which is none.
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      rows[y * (width + 1) + 1 + x] = colours.get(keyOf(colourAt(pixels, (y * width + x) * 4), bits)).index
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const palette = Buffer.from([...colours.values()].flatMap(({ rgb }) => rgb))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named) >>> 0)
  return Buffer.concat([length, named, sum])
}
