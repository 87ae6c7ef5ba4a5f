import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { routes } from './routes.ts'

const root = new URL('../', import.meta.url)

/** The table of `docs/spec-calls.md`. */
async function provenCalls() {
  const text = await readFile(new URL('docs/spec-calls.md', root), 'utf8')
  const rows = text.matchAll(/^\| (GET|POST) +`(\S+)` +\| `(\S+)` › (.+?) +\|$/gm)
  return [...rows].map(([, method = '', path = '', file = '', name = '']) => ({ method, path, file, name }))
}

test('all nineteen calls of the spec are in the contract, and each names a test that exists', async () => {
  const calls = await provenCalls()
  expect(new Set(calls.map(({ method, path }) => `${method} ${path}`)).size).toBe(19)
  for (const { method, path, file, name } of calls) {
    const found = routes.some((route) => {
      const pattern = new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
      return route.method === method && pattern.test(path)
    })
    expect([path, found]).toEqual([path, true])
    const source = await readFile(new URL(file, root), 'utf8')
    expect([path, source.includes(`'${name}'`)]).toEqual([path, true])
  }
})
