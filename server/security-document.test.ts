import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)

test('every item that holds names a test that exists', async () => {
  const document = await readFile(new URL('docs/security.md', root), 'utf8')
  const rows = [...document.matchAll(/^\| (\d\.\d+\.\d+) +\| [^|]+ \| `(\S+)` › (.+?) +\|$/gm)]
  expect(rows.length).toBeGreaterThan(30)
  for (const [, item, file = '', name = ''] of rows) {
    const source = await readFile(new URL(file, root), 'utf8')
    expect([item, file, source.includes(`'${name}'`)]).toEqual([item, file, true])
  }
  const named = document.split('\n').filter((line) => /^\| \d\.\d+\.\d+ .*›/.test(line))
  expect(rows).toHaveLength(named.length)
})
