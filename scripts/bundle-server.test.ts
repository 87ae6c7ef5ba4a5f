import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, realpath, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { currentBundle } from '@groundswell/server/bundle.ts'
import { expect, onTestFinished, test } from 'vitest'
import { bundleServer } from './bundle-server.ts'

const repository = path.resolve(import.meta.dirname, '..')
const PROGRAM = `
  import { Worker } from 'node:worker_threads'
  import data from './data.json' with { type: 'json' }
  import { word } from '@groundswell/engine/word.ts'
  export async function runCommandLine() {
    const thread = new Worker(new URL('./thread.ts', import.meta.url))
    const fromThread = await new Promise((resolve) => thread.once('message', resolve))
    const from = new Error('place').stack?.includes('/server/dist/') ? 'bundle' : 'sources'
    console.log(JSON.stringify({ from, word, data, dirname: import.meta.dirname, url: import.meta.url, fromThread }))
  }`
const FILES = {
  'server/cli/program.ts': PROGRAM,
  'server/cli/data.json': '{ "read": 1 }',
  'server/cli/thread.ts': `import { parentPort } from 'node:worker_threads'
    import { word } from '@groundswell/engine/word.ts'
    parentPort?.postMessage({ word, filename: import.meta.filename })`,
  'server/cli/all-in-one.ts': 'export async function runAllInOne() {}',
  'server/demo/run.ts': 'export async function runDemo() {}',
  'engine/word.ts': `export const word: string = 'first'`,
  'package-lock.json': '{}',
  'package.json': '{ "type": "module" }',
}

/** A checkout of a small product with the files that start and bundle ours. */
async function makeCheckout(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'groundswell-bundle-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const put = async (file: string, text: string) => {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
    await writeFile(path.join(folder, file), text)
  }
  for (const [file, text] of Object.entries(FILES)) await put(file, text)
  for (const name of ['client', 'contract', 'encoder', 'engine', 'connectors', 'server']) {
    await put(
      `${name}/package.json`,
      `{ "type": "module", "name": "@groundswell/${name}", "exports": { "./*": "./*" } }`,
    )
  }
  await mkdir(path.join(folder, 'node_modules/@groundswell'), { recursive: true })
  await promisify(execFile)('ln', ['-s', '../../engine', path.join(folder, 'node_modules/@groundswell/engine')])
  await mkdir(path.join(folder, 'scripts'))
  for (const file of ['server/cli.ts', 'server/bundle.ts', 'scripts/bundle-server.ts']) {
    await cp(path.join(repository, file), path.join(folder, file))
  }
  return folder
}

async function run(folder: string, ...flags: string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, path.join(folder, 'server/cli.ts')])
  return JSON.parse(stdout)
}

const says = (folder: string, from: string, word = 'first') => ({
  from,
  word,
  data: { read: 1 },
  dirname: path.join(folder, 'server/cli'),
  url: `file://${path.join(folder, 'server/cli/program.ts')}`,
  fromThread: { word, filename: path.join(folder, 'server/cli/thread.ts') },
})

test('a bundled program does what its sources do, in the place of its sources', async () => {
  const folder = await makeCheckout()
  expect(await run(folder)).toEqual(says(folder, 'sources'))
  await bundleServer(folder)
  expect(await run(folder)).toEqual(says(folder, 'bundle'))
})

test('data is read from its file, so a change of it needs no new bundle', async () => {
  const folder = await makeCheckout()
  await bundleServer(folder)
  await writeFile(path.join(folder, 'server/cli/data.json'), '{ "read": 2 }')
  expect(await run(folder)).toEqual({ ...says(folder, 'bundle'), data: { read: 2 } })
})

test('a changed module is run from the sources until it is bundled again, also when size and time stay', async () => {
  const folder = await makeCheckout()
  await bundleServer(folder)
  const file = path.join(folder, 'engine/word.ts')
  const { atime, mtime } = await stat(file)
  await writeFile(file, `export const word: string = 'other'`)
  await utimes(file, atime, mtime)
  expect(await run(folder)).toEqual(says(folder, 'sources', 'other'))
  await bundleServer(folder)
  expect(await run(folder)).toEqual(says(folder, 'bundle', 'other'))
})

test('with a debugger the sources are run', async () => {
  const folder = await makeCheckout()
  await bundleServer(folder)
  expect(await run(folder, '--inspect=127.0.0.1:0')).toEqual(says(folder, 'sources'))
})

test('a bundle is current for exactly the files that it was made of, in their place', async () => {
  const folder = await makeCheckout()
  expect(currentBundle(folder)).toBeNull()
  await bundleServer(folder)
  const made = currentBundle(folder)
  const { sources } = JSON.parse(await readFile(path.join(folder, 'server/dist/bundle.json'), 'utf8')) as {
    sources: string[]
  }
  expect(sources).toEqual(expect.arrayContaining(Object.keys(FILES).filter((file) => file.endsWith('.ts'))))
  expect(sources).toEqual(expect.arrayContaining(['package-lock.json', 'scripts/bundle-server.ts', 'server/bundle.ts']))
  for (const source of sources) {
    const file = path.join(folder, source)
    const text = await readFile(file, 'utf8')
    await writeFile(file, `${text} `)
    expect(currentBundle(folder), `${source}, changed`).toBeNull()
    await rm(file)
    expect(currentBundle(folder), `${source}, removed`).toBeNull()
    await writeFile(file, text)
    expect(currentBundle(folder), `${source}, as before`).toBe(made)
  }
  const moved = `${folder}-moved`
  onTestFinished(() => rm(moved, { recursive: true, force: true }))
  await rename(folder, moved)
  expect(currentBundle(moved)).toBeNull()
})

test('an earlier bundle stays, for processes that run it, and the one before it goes', async () => {
  const folder = await makeCheckout()
  const made: (string | null)[] = []
  for (const word of ['first', 'second', 'third']) {
    await writeFile(path.join(folder, 'engine/word.ts'), `export const word: string = '${word}'`)
    await bundleServer(folder)
    made.push(currentBundle(folder))
  }
  const there = await Promise.all(made.map((bundle) => realpath(bundle ?? '').catch(() => null)))
  expect(there).toEqual([null, made[1], made[2]])
})

test('a package of which a module has a copy of its own is refused: the bundle would load another', async () => {
  const folder = await makeCheckout()
  for (const owner of ['.', 'engine']) {
    const copy = path.join(folder, owner, 'node_modules/copied')
    await mkdir(copy, { recursive: true })
    await writeFile(path.join(copy, 'package.json'), '{ "type": "module", "exports": "./index.js" }')
    await writeFile(path.join(copy, 'index.js'), `export const word = '${owner}'`)
  }
  await writeFile(path.join(folder, 'engine/word.ts'), `export { word } from 'copied'`)
  await expect(bundleServer(folder)).rejects.toThrow('another copy of copied than server/')
  expect(currentBundle(folder)).toBeNull()
  expect(await run(folder)).toEqual(says(folder, 'sources', 'engine'))
})
