import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { replaceFile } from './replace-file.ts'

test('a file is made or replaced, whole each time, for its owner only, and nothing is left beside it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'groundswell-replace-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'spent.json')
  await replaceFile(file, 'first')
  const contents = ['a'.repeat(100_000), 'b'.repeat(50_000)]
  await Promise.all(contents.map((content) => replaceFile(file, content)))
  expect(contents).toContain(await readFile(file, 'utf8'))
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['spent.json'])
})
