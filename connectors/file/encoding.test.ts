import { refusalOf } from '@groundswell/contract/feedback/file-content.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Rejected } from '../kit/errors.ts'
import { detectEncoding, toUtf8 } from './encoding.ts'
import { preview } from './preview.ts'
import { chunked, options, readAll } from './testing.ts'

/** “Grüße” — 5 €: curly quotes, dash and euro have their own bytes in Windows-1252, and none in Latin-1. */
const western = Buffer.from([0x93, 0x47, 0x72, 0xfc, 0xdf, 0x65, 0x94, 0x20, 0x97, 0x20, 0x35, 0x20, 0x80])
const csvOf = (cell: Buffer) => Buffer.concat([Buffer.from('id,text\r\n1,'), cell, Buffer.from('\r\n2,plain\r\n')])
const wide = (text: string) => Buffer.from(text, 'utf16le')
const swapped = (text: string) => wide(text).swap16()

describe('an encoding', () => {
  it.each([
    ['UTF-8', Buffer.from('Zürich'), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from('\uFEFFplain'), 'utf-8'],
    ['UTF-16 with a mark', wide('\uFEFFplain text'), 'utf-16le'],
    ['UTF-16 of another order', swapped('\uFEFFplain text'), 'utf-16be'],
    ['UTF-16 without a mark', wide('plain text, and more'), 'utf-16le'],
    ['UTF-16 without a mark, the other order', swapped('plain text, and more'), 'utf-16be'],
    ['Windows-1252', western, 'windows-1252'],
    ['Latin-1', Buffer.from('déjà vu, à côté', 'latin1'), 'windows-1252'],
    ['ASCII', Buffer.from('plain'), 'utf-8'],
  ])('is found: %s', (_, bytes, encoding) => {
    expect(detectEncoding(bytes).encoding).toBe(encoding)
  })

  it('is still UTF-8 where a few bytes of a file are invalid', () => {
    const broken = Buffer.concat([Buffer.from('Zürich, Genève, 日本 '), Buffer.from([0xff, 0xe2, 0x82])])
    expect(detectEncoding(broken).encoding).toBe('utf-8')
  })

  it('is Windows-1252 although two of its letters happen to be UTF-8', () => {
    const bytes = Buffer.concat([
      Buffer.from('été à côté de là où naît «É»; déjà prêt, gâté, fêté', 'latin1'),
      Buffer.from([0xd6, 0x93]),
    ])
    expect(detectEncoding(bytes).encoding).toBe('windows-1252')
  })

  it('is not decided by a character that the end of the head splits', () => {
    const bytes = Buffer.from(`${'a'.repeat(100)}ü`).subarray(0, 101)
    expect(detectEncoding(bytes)).toEqual({ encoding: 'utf-8', open: true })
    for (let cut = 1; cut < 4; cut += 1) {
      expect(detectEncoding(Buffer.from('Zürich 🙂').subarray(0, -cut)).encoding).toBe('utf-8')
    }
  })

  it('of valid UTF-8 is never mistaken for another', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(8), (text, cut) => {
        const clean = text.replace(/\p{Cc}/gu, ' ')
        const bytes = Buffer.from(clean)
        expect(detectEncoding(bytes.subarray(0, Math.max(0, bytes.byteLength - cut))).encoding).toBe('utf-8')
      }),
    )
  })

  it('is what the caller chooses', async () => {
    expect(detectEncoding(western, 'windows-1251')).toEqual({ encoding: 'windows-1251', open: false })
    const cyrillic = csvOf(Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]))
    expect((await readAll(cyrillic, 'a.csv', { encoding: 'windows-1251' })).texts[0]).toBe('Привет')
    const mac = csvOf(Buffer.from([0x47, 0x72, 0x9f, 0xa7, 0x65]))
    expect((await readAll(mac, 'a.csv', { encoding: 'macintosh' })).texts[0]).toBe('Grüße')
    const japanese = csvOf(Buffer.from([0x93, 0xfa, 0x96, 0x7b]))
    expect((await readAll(japanese, 'a.csv', { encoding: 'shift_jis' })).texts[0]).toBe('日本')
    const chinese = wide('文字列がここにある\n別の行').subarray(0)
    expect((await readAll(chinese, 'a.txt', { encoding: 'utf-16le' })).texts).toEqual(['文字列がここにある', '別の行'])
  })

  it('chosen as UTF-8 reports invalid bytes line by line', async () => {
    const { texts, problems } = await readAll(csvOf(western), 'a.csv', { encoding: 'utf-8' })
    expect(texts).toEqual(['plain'])
    expect(problems).toEqual([{ line: 2, reason: expect.stringContaining('not valid UTF-8') }])
  })
})

describe('Windows-1252', () => {
  it('is decoded in the preview and in the import', async () => {
    const seen = await preview(csvOf(western), options('a.csv'))
    expect(seen).toMatchObject({ encoding: 'windows-1252', problems: [] })
    expect(seen.rows[0]).toEqual(['1', '“Grüße” — 5 €'])
    for (const size of [1, 7, 1000]) {
      const { texts, problems } = await readAll(chunked(csvOf(western), size))
      expect(problems).toEqual([])
      expect(texts).toEqual(['“Grüße” — 5 €', 'plain'])
    }
  })

  const plain = `id,text\n${Array.from({ length: 4000 }, (_, at) => `${at},a plain message of words ${at}`).join('\n')}\n`

  it('is detected by a character far behind the first part', async () => {
    const bytes = Buffer.concat([Buffer.from(`${plain}x,`), western, Buffer.from('\ny,'), western, Buffer.from('\n')])
    for (const size of [4096, 64 * 1024, bytes.byteLength]) {
      const { texts, problems } = await readAll(chunked(bytes, size))
      expect(problems).toEqual([])
      expect(texts.slice(-2)).toEqual(['“Grüße” — 5 €', '“Grüße” — 5 €'])
    }
  })

  it('does not change after a line of UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from(`${plain}x,Zürich\ny,`), western, Buffer.from('\nz,Genève\n')])
    for (const size of [4096, bytes.byteLength]) {
      const { texts, problems } = await readAll(chunked(bytes, size))
      expect(texts.slice(-2)).toEqual(['Zürich', 'Genève'])
      expect(problems).toHaveLength(1)
    }
  })
})

describe('a file that is not text', () => {
  const random = Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919 + (at >> 3) * 104729) % 256)
  it.each([
    ['a picture', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], /picture/],
    ['a photo', [0xff, 0xd8, 0xff, 0xe0, 0, 16], /picture/],
    ['an animation', Buffer.from('GIF89a...'), /picture/],
    ['a picture of the web', Buffer.from('RIFF\u0001\u0002\u0003\u0004WEBPVP8 '), /picture/],
    ['an old workbook', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1], /old Excel.*CSV/],
    ['a PDF', Buffer.from('%PDF-1.7\n%'), /PDF.*CSV/],
    ['a document', Buffer.from('{\\rtf1\\ansi'), /rich-text/],
    ['a video', Buffer.from('\0\0\0\u0018ftypmp42'), /video/],
    ['packed otherwise', Buffer.from('BZh91AY&SY'), /compressed/],
    ['a database', Buffer.from('SQLite format 3\0'), /database/],
    ['anything else with many zero bytes', [1, 0, 0, 0, 2, 0, 0, 0, 65, 66, 0, 0, 7, 0, 0, 0], /no text/],
    ['noise', random, /no text/],
  ])('is refused with a message that tells what to do: %s', async (_, bytes, reason) => {
    const content = Buffer.from(bytes)
    await expect(readAll(content, 'a.csv')).rejects.toThrow(Rejected)
    await expect(readAll(content, 'a.csv')).rejects.toThrow(reason)
    await expect(preview(content, options('a.csv'))).rejects.toThrow(reason)
    expect(refusalOf(content)).toMatch(reason)
  })

  it.each([
    ['half a workbook', [0x50, 0x4b, 0x03, 0x04, 20, 0]],
    ['half a compressed file', [0x1f, 0x8b, 8, 0]],
  ])('is judged by what is inside where it is packed: %s', async (_, bytes) => {
    const content = Buffer.from(bytes)
    await expect(readAll(content, 'a.csv')).rejects.toThrow(Rejected)
    await expect(readAll(content, 'a.csv')).rejects.toThrow(/damaged or incomplete/)
    await expect(preview(content, options('a.csv'))).rejects.toThrow(Rejected)
  })

  it('is refused also when an encoding is chosen', () => {
    expect(() => detectEncoding(Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'windows-1252')).toThrow(/picture/)
    expect(() => detectEncoding(Buffer.from([0x50, 0x4b, 3, 4]), 'utf-16le')).toThrow(/workbook/)
  })

  it('is not a file with words, in any encoding', () => {
    for (const bytes of [
      Buffer.from(''),
      Buffer.from('id,text\n1,hello\n'),
      Buffer.from('{"text":"PK and GIF and BZh and ID3"}'),
      Buffer.from('ID3,PAR1\nRIFF'),
      wide('\uFEFFid,text'),
      swapped('id,text\n1,hello'),
      western,
      Buffer.from('one \0 stray byte in a long line of words'),
      Buffer.from('\u001b[31mred\u001b[0m log line\n'),
      Buffer.from('日本語のテキスト'),
    ]) {
      expect(refusalOf(bytes)).toBeNull()
    }
  })
})

it('toUtf8 gives the same text however the bytes are split', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'ü', '🙂', '\n', '出') }),
      fc.integer({ min: 1, max: 5 }),
      (text, size) => {
        const decode = toUtf8('utf-16le')
        const bytes = wide(`\uFEFF${text}`)
        const parts: Uint8Array[] = []
        for (let from = 0; from < bytes.byteLength; from += size) parts.push(decode(bytes.subarray(from, from + size)))
        expect(Buffer.concat(parts).toString()).toBe(text)
      },
    ),
  )
})
