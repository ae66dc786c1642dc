import { describe, expect, it } from 'vitest'
import { pageOf } from '../../src/web/page.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d4948445200000003000000020806000000', 'hex')

function page(contentType: string | null, body: string | Uint8Array, path = '/page') {
  const url = new URL(path, 'https://public.test')
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return pageOf(url, { url: url.href, reach: 'public' }, contentType, bytes)
}

describe('the kind of a page', () => {
  it.each([
    ['text/markdown', '/', 'markdown'],
    ['text/x-markdown; charset=utf-8', '/', 'markdown'],
    ['text/plain', '/readme.md', 'markdown'],
    ['text/plain', '/README.MD', 'markdown'],
    ['application/octet-stream', '/readme.md', 'markdown'],
    ['text/plain', '/readme.txt', 'text'],
    ['text/css', '/', 'text'],
    ['application/xml', '/', 'text'],
    ['application/atom+xml', '/', 'text'],
    ['text/html', '/', 'html'],
    ['TEXT/HTML;charset=UTF-8', '/', 'html'],
    ['application/xhtml+xml', '/', 'html'],
    ['application/json', '/', 'json'],
    ['application/ld+json', '/', 'json'],
    ['image/png', '/', 'image'],
    ['application/pdf', '/', 'binary'],
    ['application/octet-stream', '/', 'binary'],
    ['video/mp4', '/', 'binary'],
    ['garbage', '/', 'text'],
    [null, '/', 'text'],
    [null, '/a.md', 'markdown'],
  ])('with the media type %s at %s is %s', (type, path, kind) => {
    expect(page(type, 'hello', path).kind).toBe(kind)
  })

  it.each(['text/html', 'text/plain', 'text/markdown', 'application/json', null])(
    'is binary when NUL bytes give the type %s the lie',
    (type) => {
      expect(page(type, 'PK\u0003\u0004\0\0')).toMatchObject({ kind: 'binary', text: '' })
    },
  )

  it.each(['<!DOCTYPE html><p>x', '\n <html lang=en>', '\ufeff<!doctype HTML>'])(
    'is HTML without a type when it starts with %j',
    (text) => {
      expect(page(null, text)).toMatchObject({ kind: 'html', mediaType: 'text/html' })
    },
  )

  it('is known for an image, and the text is empty', () => {
    expect(page('image/png', PNG)).toMatchObject({ kind: 'image', mediaType: 'image/png', text: '' })
  })
})

describe('the text of a page', () => {
  it.each([
    ['text/plain; charset=iso-8859-1', Buffer.from([0xe9]), 'é'],
    ['text/plain; charset="windows-1252"', Buffer.from([0x80]), '€'],
    ['text/plain; charset=shift_jis', Buffer.from([0x82, 0xa0]), 'あ'],
    ['text/plain; charset=nonsense', Buffer.from('é'), 'é'],
    ['text/plain', Buffer.from('é'), 'é'],
    ['text/plain', Buffer.from([0x61, 0xff]), 'a\ufffd'],
    ['text/plain', Buffer.from('\ufeffé'), 'é'],
    ['text/plain; charset=latin1', Buffer.from('\ufeffé'), 'é'],
    ['text/plain', Buffer.from('\ufeffhi', 'utf16le'), 'hi'],
    ['text/plain; charset=utf-16le', Buffer.from('hi', 'utf16le'), 'hi'],
    ['text/html', Buffer.from('<meta charset=latin1>\xe9', 'latin1'), '<meta charset=latin1>é'],
    ['text/html', Buffer.from('<meta charset="utf-16">é'), '<meta charset="utf-16">é'],
  ])('of type %s is decoded', (type, bytes, text) => {
    expect(page(type, bytes).text).toBe(text)
  })

  it('honours the charset of an old meta element', () => {
    const meta = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">'
    expect(page('text/html', Buffer.concat([Buffer.from(meta), Buffer.from([0xcf])])).text).toBe(`${meta}П`)
  })
})
