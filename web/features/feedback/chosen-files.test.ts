import { expect, test } from 'vitest'
import { filesOfDrop, NotTogether, oneFile, type PathFile } from './chosen-files.ts'

const fileAt = (path: string, content = path): PathFile => ({
  path,
  file: new File([content], path.split('/').at(-1) ?? path),
})
/** The paths in the list of contents of an archive. */
const pathsIn = async (file: File) =>
  (await file.text())
    .split('PK\u0001\u0002')
    .slice(1)
    .map((entry) => entry.slice(42).split('PK')[0])

test('one file stays as it is', () => {
  const one = fileAt('a.csv')
  expect(oneFile([one, fileAt('.DS_Store'), fileAt('__MACOSX/._a.csv')])).toEqual({ file: one.file, count: 1 })
})

test('several files are one archive, named by the first of them or by their folder', async () => {
  const { file, count } = oneFile([fileAt('a10.csv'), fileAt('a9.csv')])
  expect([file.name, count]).toEqual(['a9.csv and 1 more', 2])
  expect(await pathsIn(file)).toEqual(['a9.csv', 'a10.csv'])
  expect(oneFile([fileAt('May/a.csv'), fileAt('May/in/b.csv'), fileAt('May/Thumbs.db')])).toMatchObject({
    file: { name: 'May' },
    count: 2,
  })
})

test('of an export of a chat only channels and the lists of names are sent', async () => {
  const paths = [
    'users.json',
    'dms.json',
    'integration_logs.json',
    'bugs/2026-10-01.json',
    'D0ABCDEF1/2026-10-01.json',
    'mpdm-a--b-1/2026-10-01.json',
    'bugs/shot.png',
  ]
  const { file, count } = oneFile(paths.map((path) => fileAt(`Acme/${path}`)))
  expect([file.name, count]).toEqual(['Acme', 2])
  expect(await pathsIn(file)).toEqual(['Acme/bugs/2026-10-01.json', 'Acme/users.json'])
})

test('an empty folder is refused', () => {
  expect(() => oneFile([fileAt('.hidden')])).toThrow(NotTogether)
})

type Tree = { [name: string]: Tree | string }

/** A dropped folder as browsers give it: its content in parts. */
function entryOf(name: string, content: Tree | string, path = ''): FileSystemEntry {
  const fullPath = `${path}/${name}`
  if (typeof content === 'string') {
    const file = (done: (file: File) => void) => done(new File([content], name))
    return { isFile: true, isDirectory: false, name, fullPath, file } as unknown as FileSystemEntry
  }
  const parts = Object.entries(content).map(([own, inside]) => [entryOf(own, inside, fullPath)])
  const createReader = () => ({ readEntries: (done: (part: FileSystemEntry[]) => void) => done(parts.shift() ?? []) })
  return { isFile: false, isDirectory: true, name, fullPath, createReader } as unknown as FileSystemEntry
}

test('a dropped folder has all files in it', async () => {
  const entries = [entryOf('Acme', { 'users.json': '[]', bugs: { '2026-10-01.json': '[]', '2026-10-02.json': '[]' } })]
  const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }))
  const found = await filesOfDrop({ items, files: [] } as unknown as DataTransfer)
  expect(found.map(({ path }) => path)).toEqual([
    'Acme/users.json',
    'Acme/bugs/2026-10-01.json',
    'Acme/bugs/2026-10-02.json',
  ])
})
