import { describe, expect, it } from 'vitest'
import { imageSize } from '../../src/files/image-size.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const riff = (chunk: string, rest: string) =>
  Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP'), Buffer.from(chunk), hex(rest)])

const IMAGES: Record<string, [Buffer, number, number]> = {
  PNG: [hex('89504e470d0a1a0a 0000000d 49484452 00000140 000000f0 08'), 320, 240],
  GIF: [Buffer.concat([Buffer.from('GIF89a'), hex('4001f000')]), 320, 240],
  JPEG: [hex('ffd8 ffe0 0004 0000 fffe 0003 41 ffc0 0011 08 00f0 0140 03'), 320, 240],
  'progressive JPEG': [hex('ffd8 ffdb 0004 0000 ffff c2 0011 08 00f0 0140 03'), 320, 240],
  'WebP VP8': [riff('VP8 ', '00000000 000000 9d012a 4001 f000'), 320, 240],
  'WebP VP8L': [riff('VP8L', '00000000 2f 3fc13b00 0000000000'), 320, 240],
  'WebP VP8X': [riff('VP8X', '0a000000 00000000 3f0100 ef0000'), 320, 240],
  SVG: [Buffer.from('<?xml version="1.0"?>\n<svg xmlns="x" width="320" height="240px"/>'), 320, 240],
  'SVG with a view box': [Buffer.from("<svg width='100%' viewBox='0 0 320 240'>"), 320, 240],
}

describe('the size of an image', () => {
  it.each(Object.entries(IMAGES))('is read from a %s', (_name, [bytes, width, height]) => {
    expect(imageSize(bytes)).toEqual({ width, height })
  })

  it.each(Object.entries(IMAGES))(
    'is read from a %s that lies inside a larger buffer',
    (_name, [bytes, width, height]) => {
      const larger = Buffer.concat([Buffer.alloc(7, 0xff), bytes, Buffer.alloc(9)])
      expect(imageSize(larger.subarray(7, 7 + bytes.length))).toEqual({ width, height })
    },
  )

  it.each(Object.entries(IMAGES))(
    'is unknown or right for every beginning of a %s',
    (_name, [bytes, width, height]) => {
      for (let length = 0; length < bytes.length; length += 1) {
        expect([null, { width, height }]).toContainEqual(imageSize(bytes.subarray(0, length)))
      }
    },
  )

  it.each(['', 'text', '<html><svg', 'ÿØÿ', 'GIF89a\0\0\0\0'])('is unknown for %j', (text) => {
    expect(imageSize(Buffer.from(text, 'latin1'))).toBeNull()
  })

  it('is found in time linear to the length of a JPEG without a frame', () => {
    expect(imageSize(Buffer.concat([hex('ffd8ff'), Buffer.alloc(5_000_000, 0xff)]))).toBeNull()
  })
})
