import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ISOLATED_TESTS } from './isolated-tests.ts'

const root = path.resolve(import.meta.dirname, '..')
const packages = '{client,contract,connectors,encoder,engine,server,scripts,bench,web}'

test('a file that replaces or reloads modules has a worker of its own, and no other file has', () => {
  const replacing = globSync(`${packages}/**/*.test.{ts,tsx}`, { cwd: root, exclude: ['**/node_modules/**'] }).filter(
    (file) => /^\s*vi\.(mock|doMock|resetModules)\(/m.test(readFileSync(path.join(root, file), 'utf8')),
  )
  expect(replacing.toSorted()).toEqual(ISOLATED_TESTS.toSorted())
})
