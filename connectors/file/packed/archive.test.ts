import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Rejected } from '../../kit/errors.ts'
import { preview } from '../preview.ts'
import { options, readAll } from '../testing.ts'
import { textRowsXml, workbookOf, zipOf } from './testing.ts'

const csv = 'id,message,date\n1,The export fails,2026-10-01\n2,It is slow,2026-10-02\n'
const MIB = 1024 * 1024

describe('one file that is packed', () => {
  it.each([
    ['as ZIP', zipOf({ 'feedback.csv': csv }), 'archive.zip'],
    [
      'as ZIP by macOS',
      zipOf({ 'in/feedback.csv': csv, '__MACOSX/in/._feedback.csv': 'x', 'in/.DS_Store': 'x' }),
      'a.zip',
    ],
    ['as gzip', gzipSync(csv), 'feedback.csv.gz'],
    ['as gzip in two parts', Buffer.concat([gzipSync(csv.slice(0, 20)), gzipSync(csv.slice(20))]), 'feedback.csv.gz'],
  ])('is opened %s', async (_, file, name) => {
    const { texts, items } = await readAll(file, name)
    expect(texts).toEqual(['The export fails', 'It is slow'])
    expect(items[0]?.at.toISOString()).toBe('2026-10-01T00:00:00.000Z')
    expect(await preview(file, options(name))).toMatchObject({ format: 'csv', columns: ['id', 'message', 'date'] })
  })

  it('is read by the name that it has inside', async () => {
    expect((await preview(zipOf({ 'a.txt': 'One, two\nThree, four\n' }), options('a.csv.zip'))).format).toBe('text')
    expect((await preview(gzipSync('One, two\nThree, four\n'), options('a.txt.gz'))).format).toBe('text')
  })

  it('may be cut off in a preview, and not in an import', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => `${at},It fails again ${(at * 7919) % 10_007}`).join('\n')
    const part = gzipSync(`id,message\n${rows}`).subarray(0, 20_000)
    expect((await preview(part, options('a.csv.gz'))).columns).toEqual(['id', 'message'])
    await expect(readAll(part, 'a.csv.gz')).rejects.toThrow('incomplete')
  })
})

describe('is refused', () => {
  const zeros = Buffer.alloc(20 * MIB, 'a')
  it.each([
    [
      'several files of different kinds',
      zipOf({ 'a.csv': csv, 'b.csv': 'name,text\nAda,It hangs\n' }),
      /“a.csv” and “b.csv”/,
    ],
    ['a table beside JSON', zipOf({ 'a.csv': csv, 'b.json': '[{"message":"It hangs"}]' }), /“a.csv” and “b.json”/],
    [
      'a table beside a picture',
      zipOf({ 'a.csv': csv, 'b.png': '\u0000\u0001\u0002\u0003\u0004\u0005' }),
      /^“b.png”: /,
    ],
    [
      'several workbooks',
      zipOf({ 'a.xlsx': zipOf({ a: 'b' }), 'b.xlsx': zipOf({ a: 'b' }) }),
      /“a.xlsx” is a workbook/,
    ],
    ['an empty archive', zipOf({ 'folder/': '' }), /no file/],
    ['a picture inside', zipOf({ 'a.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0]) }), /picture/],
    ['an archive inside', gzipSync(zipOf({ 'a.csv': csv })), /packed too/],
    ['a workbook inside', zipOf({ 'a.xlsx': workbookOf({ A: textRowsXml([['message']]) }) }), /packed too/],
    ['a file made to fill the disk, as gzip', gzipSync(zeros), /far more/],
    ['the same, as ZIP', zipOf({ 'a.csv': zeros }), /far more/],
    [
      'the same, as a workbook',
      workbookOf({ A: `<row r="1"><c t="inlineStr"><is><t>${'a'.repeat(20 * MIB)}</t></is></c></row>` }),
      /far more/,
    ],
  ])('%s', async (_, file, reason) => {
    const all = readAll(file, 'a.zip')
    await expect(all).rejects.toThrow(Rejected)
    await expect(all).rejects.toThrow(reason)
  })
})
