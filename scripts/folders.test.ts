import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const MOST = 30

/** Folders of one numbered or named entry per file, which are found by their number or name. */
const SERIES = {
  'docs/decisions': 'one file per decision, by its number',
  'bench/encoder/train/written': 'a data set: one file per product',
}

/** How many files are directly in each folder. Tests are not counted: they are beside what they test. */
function filesByFolder(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const file of execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')) {
    if (/\.test\.tsx?$/.test(file)) continue
    const folder = path.posix.dirname(file)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return counts
}

test(`no folder has more than ${MOST} files directly in it`, () => {
  const counts = filesByFolder()
  expect(counts.size).toBeGreaterThan(100)
  const large = [...counts].filter(([folder, count]) => count > MOST && !(folder in SERIES))
  expect(large).toEqual([])
})

test('every exception is a folder that needs it', () => {
  const counts = filesByFolder()
  expect(Object.keys(SERIES).filter((folder) => (counts.get(folder) ?? 0) <= MOST)).toEqual([])
})
