import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const folder = path.resolve(import.meta.dirname, '../docs/decisions')
const index = readFileSync(path.join(folder, 'README.md'), 'utf8')
const records = readdirSync(folder).filter((name) => name !== 'README.md')

/** The lines of the index: the record's number and file, and the records that supersede it. */
const entries = index.split('\n').flatMap((line) => {
  const [, number = '', file = '', rest = ''] = /^- \[(\d{4})\]\(([^)]+)\) (.+)$/.exec(line) ?? []
  return file === '' ? [] : [{ number, file, supersededBy: /superseded/i.test(rest) ? linkedIn(rest) : [] }]
})

function linkedIn(text: string): string[] {
  return [...text.matchAll(/\]\((\d{4}-[^)]+)\)/g)].map(([, file = '']) => file).sort()
}

/** The note below a record's title, by its lines that say what supersedes it. */
function noteOf(file: string): string {
  const [, paragraph = ''] = readFileSync(path.join(folder, file), 'utf8').split('\n\n')
  return /superseded/i.test(paragraph) ? paragraph : ''
}

test('each record is in the index exactly once, by its number', () => {
  expect(entries.map(({ file }) => file).sort()).toEqual(records.sort())
  expect(entries.filter(({ number, file }) => !file.startsWith(`${number}-`))).toEqual([])
})

test('the title of each record begins with its number', () => {
  const unnumbered = records.filter(
    (file) => !readFileSync(path.join(folder, file), 'utf8').startsWith(`# ${Number(file.slice(0, 4))}. `),
  )
  expect(unnumbered).toEqual([])
})

test('what supersedes a record is noted in the index and at the top of the record', () => {
  const noted = entries.map(({ file }) => ({ file, supersededBy: [...new Set(linkedIn(noteOf(file)))] }))
  expect(entries.map(({ file, supersededBy }) => ({ file, supersededBy }))).toEqual(noted)
  expect(noted.filter(({ supersededBy }) => supersededBy.length > 0).length).toBeGreaterThan(20)
  expect(noted.flatMap(({ supersededBy }) => supersededBy).filter((file) => !records.includes(file))).toEqual([])
})
