import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { messages, World } from '../testing.ts'
import type { Embedder } from './embedder.ts'
import { openLocal } from './local.ts'
import { loadLocalModel } from './local-model.ts'
import { type TinyWords, tinyModelFiles, writeTinyModel } from './tiny-model.ts'

/**
 * transformers.js itself with its native part, installed as an operator installs it (half a gigabyte, into a temporary folder),
 * and tiny models written here, whose correct vectors are known.
 */
const VERSION = '4.3.1'
const registry = spawnSync('npm', ['ping', '--fetch-retries=0'], { shell: process.platform === 'win32' }).status === 0
if (!registry) process.stderr.write('The npm registry cannot be reached, so transformers.js itself is not tested.\n')

const ROOT_HALF = Math.SQRT1_2
const WORDS: TinyWords = {
  maxWords: 8,
  words: [
    ['[PAD]', [0, 0, 0, 0]],
    ['[UNK]', [0, 0, 0, 1]],
    ['csv', [1, 0, 0, 0]],
    ['export', [1, 1, 0, 0]],
    ['dark', [0, 0, 1, 0]],
    ['mode', [0, 0, 3, 0]],
    ['password', [0, 1, 0, 0]],
    ['invoice', [0, 2, 2, 0]],
  ],
}
/** The same words with unrelated vectors. */
const TURNED: TinyWords = { words: WORDS.words.map(([word, vector]) => [word, [...vector].reverse()]) }
/** The short ones are padded, which must not count. */
const EXPECTED: [text: string, vector: number[]][] = [
  ['CSV export', [2 / Math.sqrt(5), 1 / Math.sqrt(5), 0, 0]],
  ['dark mode', [0, 0, 1, 0]],
  ['dark', [0, 0, 1, 0]],
  ['csv what', [ROOT_HALF, 0, 0, ROOT_HALF]],
]
const never = new AbortController().signal

describe.skipIf(!registry)('transformers.js, installed by its user', () => {
  let folder: string
  let kit: string
  let tiny: string
  const opened: Embedder[] = []

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'groundswell-transformers-'))
    kit = path.join(folder, 'kit')
    tiny = await writeTinyModel(path.join(folder, 'tiny'), WORDS)
    await mkdir(kit)
    const command = [
      'install',
      '--no-save',
      '--ignore-scripts',
      '--prefix',
      kit,
      `@huggingface/transformers@${VERSION}`,
    ]
    execFileSync('npm', [...command, '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      shell: process.platform === 'win32',
    })
  })
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close?.()
  })
  afterAll(() => rm(folder, { recursive: true }))

  const local = (model: string) => {
    const embedder = openLocal({ provider: 'local', model, packageDir: kit }, folder)
    opened.push(embedder)
    return embedder
  }
  const rounded = (vectors: Iterable<ArrayLike<number>>) =>
    [...vectors].map((vector) => Array.from(vector, (value) => Number(value.toFixed(5)) + 0))
  const expected = rounded(EXPECTED.map(([, vector]) => vector))

  test('every vector is right, alone and in a batch', async () => {
    const embedder = local(tiny)
    expect(
      rounded(
        await embedder.embed(
          EXPECTED.map(([text]) => text),
          never,
        ),
      ),
    ).toEqual(expected)
    for (const [text, vector] of EXPECTED) {
      expect(rounded(await embedder.embed([text], never))).toEqual(rounded([vector]))
    }
  })

  test('the runtime is the native one', () => {
    const ort = createRequire(path.join(kit, 'package.json'))('onnxruntime-node') as {
      listSupportedBackends(): { name: string; bundled: boolean }[]
    }
    expect(ort.listSupportedBackends()).toContainEqual({ name: 'cpu', bundled: true })
  })

  test('a text that is too long for the model is cut, also in a full batch', async () => {
    const long = `${'csv '.repeat(8)}${'mode '.repeat(300)}`
    const vectors = await local(tiny).embed(
      Array.from({ length: 64 }, (_, at) => (at === 63 ? 'password' : long)),
      never,
    )
    expect(rounded(vectors.slice(62))).toEqual([
      [1, 0, 0, 0],
      [0, 1, 0, 0],
    ])
  })

  test('two models at once, and the next call opens one that was closed', async () => {
    const other = await writeTinyModel(path.join(folder, 'other'), TURNED)
    const one = local(tiny)
    const two = local(other)
    const [first, second] = await Promise.all([one.embed(['csv'], never), two.embed(['csv'], never)])
    expect([rounded(first), rounded(second)]).toEqual([[[1, 0, 0, 0]], [[0, 0, 0, 1]]])
    await one.close?.()
    expect(rounded(await one.embed(['dark'], never))).toEqual([[0, 0, 1, 0]])
  })

  test('a file that is not ONNX is reported, and loaded once it is replaced', async () => {
    const broken = await writeTinyModel(path.join(folder, 'broken'), WORDS)
    await writeFile(path.join(broken, 'onnx/model.onnx'), 'no model')
    const embedder = local(broken)
    await expect(embedder.embed(['csv'], never)).rejects.toMatchObject({
      kind: 'auth',
      message: expect.stringContaining(`the folder ${broken} holds no model`) as string,
    })
    await writeTinyModel(broken, WORDS)
    expect(rounded(await embedder.embed(['csv'], never))).toEqual([[1, 0, 0, 0]])
  })

  test('an open model does not keep the process running', () => {
    const code = `
      import { openLocal } from ${JSON.stringify(new URL('./local.ts', import.meta.url).href)}
      const settings = { provider: 'local', model: ${JSON.stringify(tiny)}, packageDir: ${JSON.stringify(kit)} }
      const [vector] = await openLocal(settings, '.').embed(['csv'], new AbortController().signal)
      console.log(JSON.stringify([...vector]))`
    const { status, stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      encoding: 'utf8',
      timeout: 120_000,
    })
    expect({ status, signal, stdout }).toEqual({ status: 0, signal: null, stdout: '[1,0,0,0]\n' })
  })

  test('a model given by name is downloaded once, and then read from the cache folder', async () => {
    const { env } = createRequire(path.join(kit, 'package.json'))('@huggingface/transformers') as {
      env: { remoteHost: string }
    }
    const asked: string[] = []
    const hub = await hubOf({ 'people/tiny': WORDS }, asked)
    env.remoteHost = `http://127.0.0.1:${(hub.address() as AddressInfo).port}/`
    const where = { model: 'people/tiny', packageDir: kit, cacheDir: path.join(folder, 'cache') }
    try {
      await expect(loadLocalModel({ ...where, model: 'people/none' })).rejects.toThrow(
        'the model people/none cannot be downloaded or read',
      )
      const extract = await loadLocalModel(where)
      expect(rounded(await extract(EXPECTED.map(([text]) => text)))).toEqual(expected)
      expect(asked).toContain('/people/tiny/resolve/main/onnx/model.onnx')
      expect(await readdir(path.join(where.cacheDir, 'people/tiny/onnx'))).toEqual(['model.onnx'])
    } finally {
      hub.closeAllConnections()
      await new Promise((done) => hub.close(done))
    }
    const again = await loadLocalModel(where)
    expect(rounded(await again(['dark mode']))).toEqual([[0, 0, 1, 0]])
  })

  test('a workspace switches to it and groups with it', async () => {
    const world = await World.start({ provider: 'local', model: tiny, packageDir: kit })
    try {
      const workspace = await world.workspace()
      await world.store(workspace, messages(60))
      await world.group(workspace)
      await world.apply(workspace, await world.prepared(workspace))
      expect(await world.state(workspace)).toMatchObject({ using: 'tiny', ready: true, embedded: 60, statements: 60 })
      await world.store(workspace, messages(12, 60))
      expect(await world.group(workspace)).toBe(12)
      expect(await world.state(workspace)).toMatchObject({ embedded: 72, statements: 72, problem: null })
      const stored = await world.stored(workspace)
      expect(stored.every((one) => one.space === 'local/tiny' && one.bytes === 8)).toBe(true)
      await writeTinyModel(tiny, TURNED)
      const later = await world.restarted({ provider: 'local', model: tiny, packageDir: kit })
      await later.store(workspace, messages(12, 72))
      expect(await later.group(workspace)).toBe(12)
      expect(await world.stored(workspace)).toEqual(stored)
      expect((await later.state(workspace)).other_since).not.toBeNull()
    } finally {
      await world.stop()
    }
  })
})

/** Serves models as huggingface.co does, and records every requested path. */
async function hubOf(models: Record<string, TinyWords>, asked: string[]): Promise<Server> {
  const files = Object.entries(models).flatMap(([name, words]) =>
    Object.entries(tinyModelFiles(words)).map(
      ([file, content]) => [`/${name}/resolve/main/${file}`, Buffer.from(content as string)] as const,
    ),
  )
  const served = new Map<string, Buffer>(files)
  const hub = createServer(({ url = '' }, response) => {
    asked.push(url)
    const content = served.get(url)
    if (content) response.writeHead(200, { 'content-length': content.byteLength }).end(content)
    else response.writeHead(404).end()
  })
  await new Promise<void>((done) => hub.listen(0, '127.0.0.1', done))
  return hub
}
