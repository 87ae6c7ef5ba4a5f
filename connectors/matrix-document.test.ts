import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filesOf, loadColumns } from './conformance/matrix.ts'
import { matrixCases } from './conformance/matrix-cases.ts'
import { matrixDocument } from './conformance/matrix-text.ts'
import { connectors } from './index.ts'

const root = path.resolve(import.meta.dirname, '..')
const columns = await loadColumns(connectors)

test('the matrix has a column for each connector with a tile, and none for anything else', () => {
  const tiles = readdirSync(path.join(root, 'connectors'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(path.join(root, 'connectors', entry.name, 'manifest.ts')))
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('_') && name !== 'file')
  expect(columns.map(({ id }) => id).toSorted()).toEqual(tiles.toSorted())
  expect(tiles).toHaveLength(11)
})

test('no connector has a cell for a case that is none for its kind, or does not exist', () => {
  const strange = columns.flatMap(({ id, kind, row }) =>
    Object.keys(row)
      .filter((number) => matrixCases.find((one) => one.number === Number(number))?.suite[kind] === undefined)
      .map((number) => `${id} ${number}`),
  )
  expect(strange).toEqual([])
})

test('every file with a test of the matrix exists', () => {
  const files = filesOf(columns)
  expect(files.length).toBeGreaterThan(120)
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
})

test('docs/connector-matrix.md has the same table; `npm run matrix` writes it', () => {
  const words = (text: string) => text.replaceAll(/ +|-{3,}/g, ' ').replaceAll(/ +/g, ' ')
  const [, table] = readFileSync(path.join(root, 'docs/connector-matrix.md'), 'utf8').split(/^(?=\| #)/m)
  expect(words(table ?? '')).toBe(words(matrixDocument(columns)))
})
