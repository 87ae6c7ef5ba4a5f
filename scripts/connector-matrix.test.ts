import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const document = readFileSync(path.join(root, 'docs/connector-matrix.md'), 'utf8')
const rows = document
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) =>
    line
      .slice(2, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )

test('every file that the matrix of connectors names exists, and no cell is empty', () => {
  const named = [...document.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, file = '']) => file)
  expect(named.length).toBeGreaterThan(120)
  expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  const empty = rows.filter(([, , , ...cells]) =>
    cells.some((cell) => !/^(\[.+\]\(.+\.test\.ts\)|suite|n\/a)$/.test(cell)),
  )
  expect(empty).toEqual([])
})

test('the matrix has a column for each connector with a tile, and each cell is a test of its own column', () => {
  const tiles = readdirSync(path.join(root, 'connectors'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(path.join(root, 'connectors', entry.name, 'manifest.ts')))
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('_') && name !== 'file')
  const columns = new Set<string>()
  for (const row of rows) {
    for (const cell of row.slice(3)) columns.add(/connectors\/(?:sandbox\/)?([a-z]+)\//.exec(cell)?.[1] ?? 'none')
  }
  columns.delete('none')
  expect([...columns].toSorted()).toEqual(tiles.toSorted())
  const mixed = [0, 1, 2, 3, 4, 5].flatMap((index) => {
    const of = (from: readonly string[][]) =>
      new Set(from.flatMap((row) => /connectors\/(?:sandbox\/)?([a-z]+)\//.exec(row[3 + index] ?? '')?.[1] ?? []))
    return [of(rows.filter((row) => row.length === 8)), of(rows.filter((row) => row.length === 9))]
  })
  expect(mixed.filter((ids) => ids.size > 1)).toEqual([])
})
