import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

test('every form of the app is the component that submits once at a time', () => {
  const web = path.resolve(import.meta.dirname, '..')
  const files = ['app', 'features', 'ui'].flatMap((folder) =>
    readdirSync(path.join(web, folder), { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
  )
  const own = files.filter(
    (file) => file.endsWith('.tsx') && /<form\b/.test(readFileSync(path.join(web, file), 'utf8')),
  )
  expect(own).toEqual([path.join('ui', 'form.tsx')])
})
