import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { withCaches } from '../../../platform/caches.ts'
import { readConfig } from '../../../platform/config/config.ts'
import type { Services } from '../../../platform/services.ts'
import type { Embedder } from './embedder.ts'
import { openLocal } from './local.ts'
import { embedderOf } from './open-embedder.ts'

let folder: string
const embedders: Embedder[] = []
const never = new AbortController().signal

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundswell-local-'))
  await install('kit', library)
  await makeModel('tiny', { width: 6 })
})
afterEach(async () => {
  for (const one of embedders.splice(0)) await one.close?.()
})
afterAll(() => rm(folder, { recursive: true }))

/**
 * Stands in for transformers.js: a package of its name and shape, whose models are folders like those of the real one, with
 * settings and weights in files.
 */
const library = `
const { readFileSync, existsSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const env = { cacheDir: null, localModelPath: '/models/', allowLocalModels: true, allowRemoteModels: true }
async function pipeline(task, model, options) {
  if (task !== 'feature-extraction') throw new Error('unknown task')
  if (!env.allowLocalModels || !existsSync(path.join(env.localModelPath, model, 'config.json'))) {
    throw new Error(env.allowRemoteModels ? 'not found at ' + env.cacheDir : 'local files only')
  }
  const at = path.join(env.localModelPath, model)
  const { width, fault } = JSON.parse(readFileSync(path.join(at, 'config.json'), 'utf8'))
  const weights = readFileSync(path.join(at, 'onnx/model.onnx'))
  return async (texts, { pooling, normalize }) => {
    if (pooling !== 'mean' || normalize !== true || options.dtype !== 'fp32') throw new Error('unexpected options')
    if (fault === 'exit') process.exit(1)
    if (fault === 'throw') throw new Error('secret words')
    if (fault === 'block') {
      writeFileSync(path.join(at, 'busy'), '')
      for (;;);
    }
    const data = new Float32Array(texts.length * width)
    texts.forEach((text, row) => {
      for (const letter of text) data[row * width + (letter.charCodeAt(0) % width)] += weights[0]
    })
    return { dims: [texts.length, width], data }
  }
}
module.exports = { env, pipeline }
`

async function install(name: string, code: string): Promise<string> {
  const at = path.join(folder, name, 'node_modules/@huggingface/transformers')
  await mkdir(path.join(at, 'dist'), { recursive: true })
  const exported = { node: { import: './dist/transformers.node.mjs', require: './dist/transformers.node.cjs' } }
  await writeFile(
    path.join(at, 'package.json'),
    JSON.stringify({ name: '@huggingface/transformers', version: '4.0.0', exports: exported, type: 'module' }),
  )
  await writeFile(path.join(at, 'dist/transformers.node.cjs'), code)
  return path.join(folder, name)
}

async function makeModel(name: string, config: object): Promise<string> {
  const at = path.join(folder, 'models', name)
  await mkdir(path.join(at, 'onnx'), { recursive: true })
  await writeFile(path.join(at, 'config.json'), JSON.stringify(config))
  await writeFile(path.join(at, 'onnx/model.onnx'), Buffer.of(3))
  return at
}

function local(model: string, packageDir: string | undefined = path.join(folder, 'kit')): Embedder {
  const embedder = openLocal({ provider: 'local', model, packageDir }, folder)
  embedders.push(embedder)
  return embedder
}

const failureOf = (embedder: Embedder, texts = ['one']) =>
  embedder.embed(texts, never).then(
    () => null,
    (error: unknown) => error,
  )

test('a model in one folder, the package in another: vectors in order, each of length 1', async () => {
  const embedder = local(path.join(folder, 'models/tiny'))
  expect(embedder.space).toBe('local/tiny')
  const [one, two, again] = (await embedder.embed(['aab', 'ccc', 'aab'], never)) as [
    Float32Array,
    Float32Array,
    unknown,
  ]
  expect(one).toHaveLength(6)
  expect(Math.hypot(...one)).toBeCloseTo(1, 5)
  expect(again).toEqual(one)
  expect(two).not.toEqual(one)
  expect([...two].filter((value) => value !== 0)).toEqual([1])
})

test('without the package, the error names the command to run', async () => {
  const nowhere = path.join(folder, 'nowhere')
  expect(await failureOf(local('Xenova/small', nowhere))).toMatchObject({
    kind: 'auth',
    message: `transformers.js is not installed: run npm install --no-save --ignore-scripts --prefix ${nowhere} @huggingface/transformers`,
  })
})

test('by default the package is looked for in this installation', async () => {
  const { loadLocalModel } = await import('./local-model.ts')
  await expect(loadLocalModel({ model: 'm', cacheDir: folder })).rejects.toThrow(
    'transformers.js is not installed: run npm install --no-save --ignore-scripts @huggingface/transformers',
  )
})

test('a package that cannot be loaded, or is a different one, is reported', async () => {
  const broken = await install('broken', 'throw new Error("no native part")')
  expect(await failureOf(local('m', broken))).toMatchObject({
    kind: 'auth',
    message: expect.stringContaining('is installed, but cannot be loaded: run npm install') as string,
  })
  const other = await install('other', 'module.exports = { other: true }')
  expect(await failureOf(local('m', other))).toMatchObject({
    message: expect.stringContaining('is not transformers.js') as string,
  })
})

test('a folder without a model, and a name that cannot be downloaded, are reported', async () => {
  const empty = path.join(folder, 'models/empty')
  expect(await failureOf(local(empty))).toMatchObject({
    kind: 'auth',
    message: expect.stringContaining(`the folder ${empty} holds no model`) as string,
  })
  expect(await failureOf(local('Xenova/small'))).toMatchObject({
    message: expect.stringContaining('the model Xenova/small cannot be downloaded or read') as string,
  })
})

test('once the package is installed, the next call works', async () => {
  const later = path.join(folder, 'later')
  const embedder = local(path.join(folder, 'models/tiny'), later)
  expect(await failureOf(embedder)).toMatchObject({ kind: 'auth' })
  await install('later', library)
  expect(await embedder.embed(['one'], never)).toHaveLength(1)
})

test('a model that fails at a text, or returns no vectors, does not affect the process', async () => {
  const failing = await failureOf(local(await makeModel('failing', { width: 6, fault: 'throw' })))
  expect(failing).toMatchObject({ kind: 'rejected', message: 'the local model failed at a text' })
  const flat = await failureOf(local(await makeModel('flat', { width: 0 })))
  expect(flat).toMatchObject({ kind: 'rejected', message: 'it returned vectors of 0 numbers' })
})

test('a thread that ends fails its open calls, and the next call starts a new one', async () => {
  const at = await makeModel('dying', { width: 6, fault: 'exit' })
  const embedder = local(at)
  expect(await failureOf(embedder)).toMatchObject({ kind: 'unavailable', message: 'its thread ended' })
  await makeModel('dying', { width: 6 })
  expect(await embedder.embed(['one'], never)).toHaveLength(1)
})

test('a busy model does not block the process, and a stop ends the call', async () => {
  const model = await makeModel('busy', { width: 6, fault: 'block' })
  const stop = new AbortController()
  const asked = local(model).embed(['one'], stop.signal)
  await expect.poll(() => existsSync(path.join(model, 'busy'))).toBe(true)
  stop.abort(new Error('stopped'))
  await expect(asked).rejects.toThrow('stopped')
})

test('a process opens its model once, and disposing its caches ends the thread', async () => {
  const model = await makeModel('held', { width: 6, fault: 'block' })
  const embeddings = { provider: 'local' as const, model, packageDir: path.join(folder, 'kit') }
  const config = { ...readConfig({}), dataDir: folder, embeddings }
  const services = withCaches({ config, now: () => new Date(0) } as Services)
  const embedder = embedderOf(services)
  expect(embedder).not.toBeNull()
  expect(embedderOf({ ...services })).toBe(embedder)
  expect(embedderOf(withCaches(services))).not.toBe(embedder)
  expect(embedderOf({ ...services, config: { ...config, embeddings: undefined } })).toBeNull()
  const call = failureOf(embedder as Embedder)
  await services.caches.dispose()
  expect(await call).toMatchObject({ kind: 'unavailable', message: 'its thread ended' })
})
