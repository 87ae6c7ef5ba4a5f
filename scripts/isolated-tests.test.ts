import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ISOLATED_TESTS, TRACKER_TESTS } from './isolated-tests.ts'

const root = path.resolve(import.meta.dirname, '..')
const packages = '{client,contract,connectors,encoder,engine,server,scripts,bench,web}'

const REPLACES = /^\s*vi\.(mock|doMock|resetModules)\(/gm
const BY_TEST_TRACKERS =
  /^vi\.mock\('@groundswell\/connectors\/index\.ts', async \(load\) => \{\n.*\n {2}return withTestTrackers\(await load\(\)\)\n\}\)$/m

test('a file that replaces or reloads modules shares no worker with others, and only such a file does', () => {
  const files = globSync(`${packages}/**/*.test.{ts,tsx}`, { cwd: root, exclude: ['**/node_modules/**'] })
  const read = files.map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))
  const replacing = read.filter(({ text }) => text.match(REPLACES))
  const alike = replacing.filter(({ text }) => text.match(REPLACES)?.length === 1 && BY_TEST_TRACKERS.test(text))
  const namesOf = (some: typeof read) => some.map(({ file }) => file).toSorted()
  expect(namesOf(replacing.filter((file) => !alike.includes(file)))).toEqual(ISOLATED_TESTS.toSorted())
  expect(namesOf(alike)).toEqual(TRACKER_TESTS.toSorted())
})
