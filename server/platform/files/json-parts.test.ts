import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readPart, readParts } from './json-parts.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundswell-parts-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What readParts makes of a file: its object, read part by part; or why it cannot be read. */
async function partsOf(content: string | Uint8Array): Promise<unknown> {
  const file = path.join(folder, 'file.json')
  await writeFile(file, content)
  const handle = await open(file)
  const object: Record<string, unknown> = {}
  let items: unknown[] = []
  const ranges: { start: number; end: number }[] = []
  const set = (name: string, value: unknown) =>
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  try {
    const isObject = await readParts(handle, {
      list: 'rows',
      onField: set,
      onList: () => {
        items = []
        ranges.length = 0
        set('rows', items)
      },
      onItem: (value, range) => {
        items.push(value)
        ranges.push(range)
      },
    })
    // Items are read again by their places.
    if (object['rows'] === items) set('rows', await Promise.all(ranges.map((range) => readPart(handle, range))))
    return isObject ? object : 'no object'
  } catch (error) {
    return error instanceof Error ? error.message : error
  } finally {
    await handle.close()
  }
}

/** The same by JSON.parse. */
function wholeOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : 'no object'
  } catch {
    return text.trim() === '' ? 'It is empty' : 'It is not JSON'
  }
}

it('reads every object as JSON.parse does, with any spacing', async () => {
  const rows = fc.array(fc.jsonValue())
  const objects = fc.oneof(
    fc.record({ rows, other: fc.jsonValue() }, { requiredKeys: [] }),
    fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
    fc.jsonValue(),
  )
  await fc.assert(
    fc.asyncProperty(objects, fc.constantFrom('', ' ', '\t', '  '), async (value, space) => {
      const text = `${space}${JSON.stringify(value, null, space)}${space}`
      expect(await partsOf(text)).toEqual(wholeOf(text))
    }),
    { numRuns: 60 },
  )
})

it('accepts and refuses the texts that JSON.parse does', async () => {
  const pieces = ['{', '}', '[', ']', ',', ':', '"rows"', '"a"', '"', '\\', '1', 'null', ' ', '-', 'x']
  const text = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 9 }).map((found) => found.join(''))
  const inside = text.map((part) => `{"rows":${part}}`)
  await fc.assert(
    fc.asyncProperty(fc.oneof(text, inside), async (content) => {
      expect(await partsOf(content)).toEqual(wholeOf(content))
    }),
    { numRuns: 200 },
  )
  for (const content of [
    '{"rows":[1],"rows":[2,3]}',
    '{"rows":[1],"rows":2}',
    '{"rows":2,"rows":[]}',
    '{"a":1,}',
    '1',
    '{} {}',
  ])
    expect(await partsOf(content)).toEqual(wholeOf(content))
})

it('reads a file that is itself a list item by item where that is asked for', async () => {
  const read = async (content: string) => {
    const file = path.join(folder, 'list.json')
    await writeFile(file, content)
    const handle = await open(file)
    const ranges: { start: number; end: number }[] = []
    const found: unknown[] = []
    try {
      const isObject = await readParts(handle, {
        list: 'rows',
        orOnlyList: true,
        onField: (name, value) => found.push([name, value]),
        onList: (place) => found.push(place),
        onItem: (_value, range) => ranges.push(range),
      })
      return [isObject, ...found, ...(await Promise.all(ranges.map((range) => readPart(handle, range))))]
    } catch (error) {
      return error instanceof Error ? error.message : error
    } finally {
      await handle.close()
    }
  }
  expect(await read('{"rows": [1, [2]], "a": [3]}')).toEqual([true, ['rows'], ['a', [3]], 1, [2]])
  const lists = fc.array(fc.oneof(fc.jsonValue(), fc.record({ rows: fc.array(fc.jsonValue()) })))
  await fc.assert(
    fc.asyncProperty(lists, fc.constantFrom('', ' ', '\uFEFF'), async (list, space) => {
      const text = `${space}${JSON.stringify(list, null, space.trim())} `
      expect(await read(text)).toEqual([false, [], ...JSON.parse(JSON.stringify(list))])
    }),
    { numRuns: 60 },
  )
  const pieces = ['{', '}', '[', ']', ',', '"a"', '1', ' ']
  const inside = fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((found) => `[${found.join('')}`)
  await fc.assert(
    fc.asyncProperty(inside, async (text) => {
      const whole = wholeOf(text)
      expect(await read(text)).toEqual(whole === 'no object' ? [false, [], ...JSON.parse(text)] : whole)
    }),
    { numRuns: 200 },
  )
})

it('reads values across the chunks of a file', async () => {
  const value = { a: 'é"\\'.repeat(700_000), rows: ['x'.repeat(1024 ** 2), { deep: ['}'.repeat(1024 ** 2)] }, 7], b: 1 }
  expect(await partsOf(JSON.stringify(value))).toEqual(value)
})

it('says that a file is empty or not UTF-8, and ignores a byte order mark', async () => {
  expect(await partsOf('')).toBe('It is empty')
  expect(await partsOf(' \n')).toBe('It is empty')
  expect(await partsOf(new Uint8Array([0x7b, 0x22, 0xe4, 0x22]))).toBe('It is not text in UTF-8')
  expect(await partsOf(Buffer.concat([Buffer.from('{]'), new Uint8Array([0xff])]))).toBe('It is not text in UTF-8')
  expect(await partsOf('\uFEFF{"a":1}')).toEqual({ a: 1 })
})
