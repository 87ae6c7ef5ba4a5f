import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Line, lineBreakOf, lineSplitter } from './line-splitter.ts'

function split(bytes: Uint8Array, sizes: readonly number[], lineBreak = 10): Line[] {
  const splitter = lineSplitter(lineBreak)
  const lines: Line[] = []
  let from = 0
  for (let turn = 0; from < bytes.byteLength; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    const chunk = Uint8Array.from(bytes.subarray(from, from + size))
    lines.push(...splitter.push(chunk))
    // The caller may overwrite the chunk.
    chunk.fill(0)
    from += size
  }
  return [...lines, ...splitter.end()]
}

describe('the line splitter', () => {
  it('gives the same lines however the bytes are split', () => {
    const unit = fc.constantFrom('a', 'ü', '🙂', '\n', '\r\n', '\r', ' ')
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (text, sizes) => {
          const expected = text.split('\n').map((line) => line.replace(/\r$/, ''))
          if (text === '' || text.endsWith('\n')) expected.pop()
          const lines = split(Buffer.from(text), sizes)
          expect(lines.map((line) => line.text)).toEqual(expected)
          expect(lines.map((line) => line.number)).toEqual(expected.map((_, at) => at + 1))
          expect(lines.every((line) => line.problem === null)).toBe(true)
        },
      ),
    )
  })

  it('finds the same bad lines however the bytes are split', () => {
    const piece = fc.constantFrom([0x61], [0xff], [0xc3], [0xc3, 0xbc], [0x0a], [0x00], [0xe2, 0x82])
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 1, max: 8 }), (pieces, size) => {
        const bytes = Uint8Array.from(pieces.flat())
        expect(split(bytes, [size])).toEqual(split(bytes, [1000]))
      }),
    )
  })

  it('names the line break of a file', () => {
    const of = (text: string) => lineBreakOf(Buffer.from(text))
    expect([of('a\nb'), of('a\r\nb'), of('a\rb'), of('ab'), of('')]).toEqual([10, 10, 13, 10, 10])
    expect(split(Buffer.from('a\rb\r'), [3], 13).map((line) => line.text)).toEqual(['a', 'b'])
  })

  it('does not buffer a line that is too long', () => {
    const splitter = lineSplitter(10)
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const before = process.memoryUsage().arrayBuffers
    for (let at = 0; at < 1600; at += 1) expect(splitter.push(chunk)).toEqual([])
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 1024 * 1024)
    expect(splitter.push(Buffer.from('\nnext\n'))).toEqual([
      { number: 1, text: '', problem: 'The line is longer than 1 MiB' },
      { number: 2, text: 'next', problem: null },
    ])
  })
})
