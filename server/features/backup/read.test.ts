import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { BackupError } from './format.ts'
import { openBackup, readBackup } from './read.ts'

const lines = Array.from({ length: 20_000 }, (_, index) => `{"n":${index},"text":"„größer“ 👩‍👩‍👧"}`)
const packed = gzipSync(`${lines.join('\n')}\n`)

/** The file in pieces of `size` bytes, each only when it is asked for. */
function pieces(bytes: Buffer, size: number): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    })(),
  )
}

async function all(generator: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = []
  for await (const line of generator) found.push(line)
  return found
}

test.each([1, 7, 4096, 1_000_000])('every line is read, in pieces of %i bytes', async (size) => {
  const file = size === 1 ? gzipSync(lines.slice(0, 50).join('\n')) : packed
  expect(await all(readBackup(pieces(file, size)))).toEqual(size === 1 ? lines.slice(0, 50) : lines)
})

test('no line is lost when the consumer is not ready at once', async () => {
  const reading = await openBackup(pieces(packed, 512))
  // More turns of the event loop than the whole file takes to arrive.
  for (let turn = 0; turn < 500; turn += 1) await new Promise((next) => setImmediate(next))
  const found: string[] = []
  for await (const line of reading) {
    found.push(line)
    if (found.length === 1) for (let turn = 0; turn < 500; turn += 1) await new Promise((next) => setImmediate(next))
  }
  expect(found).toEqual(lines)
})

test.each([
  ['nothing', Buffer.alloc(0), 'The file is empty.'],
  ['nothing, compressed', gzipSync(''), 'The file is empty.'],
  ['text', Buffer.from(lines.join('\n')), 'not a Groundswell backup'],
  ['half a file', packed.subarray(0, packed.length / 2), 'truncated'],
  ['a file without its last byte', packed.subarray(0, -1), 'truncated'],
  ['a changed byte', Buffer.from(packed).fill(0xff, packed.length / 2, packed.length / 2 + 8), 'damaged'],
])('%s is refused in one sentence', async (_name, bytes, reason) => {
  const attempt = openBackup(pieces(bytes, 4096)).then(all)
  await expect(attempt).rejects.toBeInstanceOf(BackupError)
  const source = pieces(bytes, 4096)
  await expect(openBackup(source).then(all)).rejects.toThrow(reason)
  expect(source.destroyed).toBe(true)
})

test('a file whose backup is not read to its end is closed', async () => {
  const source = pieces(packed, 512)
  const reading = await openBackup(source)
  await reading.next()
  await reading.return(undefined)
  expect(source.destroyed).toBe(true)
})

test('an error of the source reaches the consumer', async () => {
  const source = new Readable({
    read() {
      this.destroy(new Error('the disk is gone'))
    },
  })
  await expect(openBackup(source)).rejects.toThrow('the disk is gone')
})
