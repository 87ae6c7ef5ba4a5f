import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { archiveHead } from './archive-head.ts'

const HEAD = 64 * 1024
/** Text that hardly shrinks. */
const noise = (seed: number, size: number) => {
  let state = seed
  return Buffer.from(
    Array.from({ length: size }, () => {
      state = (state * 48_271) % 2_147_483_647
      return 32 + (state % 90)
    }),
  )
}

function archiveOf(files: Record<string, Buffer>): Blob {
  const [parts, list]: [Buffer[], Buffer[]] = [[], []]
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content)
    const local = Buffer.alloc(30)
    local.write('PK\u0003\u0004', 'latin1')
    local.writeUInt16LE(8, 8)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.write('PK\u0001\u0002', 'latin1')
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(crc32(content), 16)
    entry.writeUInt32LE(packed.byteLength, 20)
    entry.writeUInt32LE(content.byteLength, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    parts.push(local, Buffer.from(name), packed)
    list.push(entry, Buffer.from(name))
    at += 30 + name.length + packed.byteLength
  }
  const directory = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(list.length / 2, 10)
  end.writeUInt32LE(directory.byteLength, 12)
  end.writeUInt32LE(at, 16)
  return new Blob([...parts, directory, end].map((bytes) => new Uint8Array(bytes)))
}

/** What is in an archive, by its list of contents; files may end early. */
function contentOf(bytes: Buffer): Record<string, string> {
  const found: Record<string, string> = {}
  const end = bytes.byteLength - 22
  let at = bytes.readUInt32LE(end + 16)
  while (at < end) {
    const nameSize = bytes.readUInt16LE(at + 28)
    const local = bytes.readUInt32LE(at + 42)
    expect(bytes.toString('latin1', local, local + 4)).toBe('PK\u0003\u0004')
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20))
    const options = { finishFlush: constants.Z_SYNC_FLUSH }
    found[bytes.toString('utf8', at + 46, at + 46 + nameSize)] =
      packed.byteLength === 0 ? '' : inflateRawSync(packed, options).toString()
    at += 46 + nameSize
  }
  return found
}

const files = {
  'xl/media/image1.png': noise(1, 200_000),
  'xl/worksheets/sheet1.xml': noise(2, 400_000),
  'xl/worksheets/sheet2.xml': noise(3, 400_000),
  'xl/sharedStrings.xml': noise(4, 400_000),
  'xl/workbook.xml': noise(5, 2_000),
}

test('the head of a large workbook is its first bytes and the beginning of each of its parts', async () => {
  const file = archiveOf(files)
  const head = await archiveHead(file, HEAD)
  const bytes = Buffer.from(await (head ?? new Blob()).arrayBuffer())
  expect(bytes.byteLength).toBeLessThan(HEAD + 256 * 1024)
  expect(bytes.subarray(0, HEAD).equals(Buffer.from(await file.slice(0, HEAD).arrayBuffer()))).toBe(true)
  const found = contentOf(bytes)
  expect(Object.keys(found)).toEqual(Object.keys(files))
  for (const [name, whole] of Object.entries(files)) expect(whole.toString().startsWith(found[name] ?? '-')).toBe(true)
  expect(found['xl/workbook.xml']).toBe(files['xl/workbook.xml'].toString())
  for (const name of ['xl/worksheets/sheet1.xml', 'xl/worksheets/sheet2.xml', 'xl/sharedStrings.xml']) {
    expect(found[name]?.length).toBeGreaterThan(30_000)
  }
})

test('the head of a large OpenDocument spreadsheet has the beginning of its sheets', async () => {
  const parts = { mimetype: noise(6, 40), 'Pictures/1.png': noise(7, 200_000), 'content.xml': noise(8, 400_000) }
  const head = await archiveHead(archiveOf(parts), HEAD)
  const found = contentOf(Buffer.from(await (head ?? new Blob()).arrayBuffer()))
  expect(found.mimetype).toBe(parts.mimetype.toString())
  expect(found['content.xml']?.length).toBeGreaterThan(30_000)
})

test('the head of a large export of a chat has its people, its channels and its first days', async () => {
  const days = Array.from({ length: 3_000 }, (_, at): [string, Buffer] => [
    `general/${new Date(Date.UTC(2019, 0, 1 + at)).toISOString().slice(0, 10)}.json`,
    Buffer.concat([Buffer.from('[{"ts":"'), noise(at + 1, 300)]),
  ])
  const names = { 'users.json': noise(7, 150_000), 'channels.json': noise(8, 2_000) }
  const direct = { 'D0AAAAAA1/2018-01-01.json': noise(9, 100) }
  const file = archiveOf({ ...direct, ...Object.fromEntries(days), ...names })
  const head = await archiveHead(file, HEAD)
  const bytes = Buffer.from(await (head ?? new Blob()).arrayBuffer())
  expect(bytes.byteLength).toBeLessThan(HEAD + 256 * 1024)
  const found = contentOf(bytes)
  expect(Object.keys(found)).toEqual([...days.slice(0, 40).map(([name]) => name), 'users.json', 'channels.json'])
  for (const [name, whole] of days.slice(0, 40)) expect(found[name]).toBe(whole.toString())
  expect(found['users.json']?.length).toBeGreaterThan(20_000)
  expect(found['channels.json']).toBe(names['channels.json'].toString())
})

test('a small archive is sent as it is, and what ends early has no head', async () => {
  const small = archiveOf({ 'a.csv': Buffer.from('id,text\n') })
  expect(await archiveHead(small, HEAD)).toBe(small)
  expect(await archiveHead(archiveOf(files).slice(0, 300_000), HEAD)).toBeNull()
})

test('of several files, each has its beginning', async () => {
  const files = { 'a.csv': noise(1, 400_000), 'b.csv': noise(2, 400_000) }
  const part = await archiveHead(archiveOf(files), HEAD)
  const found = contentOf(Buffer.from(await (part ?? new Blob()).arrayBuffer()))
  for (const [name, content] of Object.entries(files)) {
    expect(found[name]?.length).toBeGreaterThan(4_096)
    expect(content.toString().startsWith(found[name] ?? '-')).toBe(true)
  }
})
