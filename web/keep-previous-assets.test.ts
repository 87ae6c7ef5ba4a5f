import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'vite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepPreviousAssets } from './keep-previous-assets.ts'
import config from './vite.config.ts'

const HOUR_MS = 60 * 60 * 1000

let root: string
let now = Date.now()

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'groundswell-build-'))
  await writeFile(path.join(root, 'index.html'), '<script type="module" src="/main.js"></script>')
  await mkdir(path.join(root, 'public'))
})
afterEach(() => rm(root, { recursive: true }))

/** Builds an app with this text, and returns the files that exist afterwards. */
async function built(words: string): Promise<string[]> {
  await writeFile(path.join(root, 'main.js'), `document.title = ${JSON.stringify(words)}`)
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [keepPreviousAssets(() => now)],
    build: { manifest: true },
  })
  return readdir(path.join(root, 'dist', 'assets'))
}

const entry = async () => /assets\/([^"]+\.js)/.exec(await readFile(path.join(root, 'dist', 'index.html'), 'utf8'))?.[1]

test('the files of a replaced build stay for a day, counted from its replacement', async () => {
  expect(await built('one')).toHaveLength(1)
  const one = await entry()
  now += 30 * 24 * HOUR_MS
  expect(await built('two')).toContain(one)
  const two = await entry()
  expect(two).not.toBe(one)
  now += 23 * HOUR_MS
  expect(await built('three')).toEqual(expect.arrayContaining([one, two, await entry()]))
  now += 2 * HOUR_MS
  const left = await built('four')
  expect(left).not.toContain(one)
  expect(left).toEqual(expect.arrayContaining([two, await entry()]))
})

test('an unchanged build keeps its files, even after it was replaced meanwhile', async () => {
  await built('one')
  const one = await entry()
  await built('two')
  now += 48 * HOUR_MS
  expect(await built('one')).toContain(one)
  expect(await entry()).toBe(one)
})

test('the web app is built with it', () => {
  const plugins = (config as { plugins: { name?: string }[] }).plugins.flat()
  expect(plugins.map(({ name }) => name)).toContain('keep-previous-assets')
})
