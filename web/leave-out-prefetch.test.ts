import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'
import { leaveOutPrefetch } from './leave-out-prefetch.ts'

const plugin = leaveOutPrefetch()
if (typeof plugin.transform !== 'object') throw new Error('the plugin transforms nothing')
const handler = plugin.transform.handler as (code: string) => string

test('links of the installed react-router prefetch nothing, and the rest of the module stays', async () => {
  const root = path.dirname(createRequire(import.meta.url).resolve('react-router/package.json'))
  const code = await readFile(path.join(root, 'dist/production/lib/dom/ssr/components.js'), 'utf8')
  const left = handler(code)
  expect(left).toContain('function PrefetchPageLinks() {\n\treturn null\n}')
  const functions = (text: string) => [...text.matchAll(/^function (\w+)/gm)].map(([, name]) => name)
  expect(functions(left)).toEqual(functions(code))
})

test('a module without it is refused', () => {
  expect(() => handler('export {}')).toThrow('PrefetchPageLinks')
})
