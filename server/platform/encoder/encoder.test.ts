import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { openEncoder } from '@groundswell/encoder/index.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { BackgroundEncoder, type EncoderOptions, EncoderUnavailable } from './encoder.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'encoder-'))
})
afterAll(() => rm(folder, { recursive: true }))

const started: BackgroundEncoder[] = []
const warnings: string[] = []
let now = new Date('2026-03-02T10:20:00Z')
afterEach(() => {
  for (const encoder of started.splice(0)) encoder.stop()
  warnings.length = 0
})

function encoderWith(options: Partial<EncoderOptions> = {}): BackgroundEncoder {
  const log = { warn: (_: object, message: string) => void warnings.push(message) } as unknown as EncoderOptions['log']
  const encoder = new BackgroundEncoder({ log, now: () => now, ...options })
  started.push(encoder)
  return encoder
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const pidOf = ({ pid }: BackgroundEncoder) => {
  if (pid === undefined) throw new Error('the encoder has no process')
  return pid
}

describe('with the real model', () => {
  const texts = ['The export stops', 'Dark mode, please', 'Wo ist meine Rechnung?']

  test('returns the vectors of the model, from a process of the lowest priority that ends when it is idle', async () => {
    const encoder = encoderWith({ idleMs: 50 })
    expect(encoder.pid).toBeUndefined()
    const vectors = await encoder.encode(texts)
    const pid = pidOf(encoder)
    expect(getPriority(pid)).toBe(19)
    expect(vectors).toEqual((await openEncoder()).encode(texts))
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect(encoder.pid).toBeUndefined()
    expect(await encoder.encode([])).toEqual([])
    expect(await encoder.encode(['again'])).toHaveLength(1)
    expect(warnings).toEqual([])
  })

  test('answers although its process is killed in the middle of a request, and while it is idle', async () => {
    const encoder = encoderWith()
    const many = Array.from({ length: 300 }, (_, index) => `The export of report ${index} stops after a while`)
    const encoding = encoder.encode(many)
    await expect.poll(() => encoder.pid, { interval: 2 }).toBeDefined()
    const first = pidOf(encoder)
    process.kill(first, 'SIGKILL')
    expect((await encoding).at(-1)).toEqual((await openEncoder()).encode(many.slice(-1))[0])
    const second = pidOf(encoder)
    expect(second).not.toBe(first)
    process.kill(second, 'SIGKILL')
    await expect.poll(() => isAlive(second)).toBe(false)
    expect(await encoder.encode(texts)).toHaveLength(3)
    expect(warnings).toHaveLength(2)
  })

  test('its process ends with the one that started it, however that ends', async () => {
    const program = `
      import { BackgroundEncoder } from ${JSON.stringify(path.join(import.meta.dirname, 'encoder.ts'))}
      const encoder = new BackgroundEncoder({ log: console, now: () => new Date() })
      await encoder.encode(['hello'])
      console.log(encoder.pid)
      if (process.argv[1] === 'wait') setInterval(() => {}, 1000)`
    const run = async (how: string): Promise<{ parent: ChildProcess; exited: Promise<unknown>; pid: number }> => {
      const parent = spawn(process.execPath, ['--input-type=module', '--eval', program, how])
      // Awaited from the start: it may exit before its line is read.
      const exited = once(parent, 'exit')
      const [line] = (await once(parent.stdout, 'data')) as [Buffer]
      return { parent, exited, pid: Number(line.toString()) }
    }
    const killed = await run('wait')
    expect(isAlive(killed.pid)).toBe(true)
    killed.parent.kill('SIGKILL')
    await expect.poll(() => isAlive(killed.pid)).toBe(false)
    const ended = await run('end')
    expect(await ended.exited).toEqual([0, null])
    await expect.poll(() => isAlive(ended.pid)).toBe(false)
  })

  test('says that the weights are missing, and looks again after ten minutes', async () => {
    const absent = path.join(folder, 'absent')
    const encoder = encoderWith({ model: { folder: absent } })
    const missing = {
      reason: 'missing',
      message: `the folder ${absent} has no tokenizer.json and model.safetensors`,
    }
    await expect(encoder.encode(texts)).rejects.toMatchObject(missing)
    expect(encoder.trouble).toMatchObject(missing)
    await expect(encoder.encode(texts)).rejects.toThrow(EncoderUnavailable)
    now = new Date(now.getTime() + 600_000)
    expect(encoder.trouble).toBeNull()
    await expect(encoder.encode(texts)).rejects.toMatchObject(missing)
    expect(warnings).toEqual([])
  })
})

describe('with a scripted process', () => {
  /** `onText` runs in the process for each text of a request; by default each vector is the length of its text, repeated. */
  async function scripted(name: string, { ready = 'true', onText = '' }): Promise<URL> {
    const file = path.join(folder, `${name}.mjs`)
    await writeFile(
      file,
      `
      const { revectorize } = JSON.parse(process.argv[2])
      const [ready, reason] = [${ready}, 'wrong vectors']
      process.on('disconnect', () => process.exit())
      process.on('message', ({ id, texts }) => {
        for (const text of texts) { ${onText} }
        process.send({ kind: 'vectors', id, vectors: Float32Array.from(texts.flatMap((t) => Array(384).fill(t.length))) })
      })
      process.send(ready ? { kind: 'ready', model: 'all-MiniLM-L6-v2-feedback' } : { kind: 'unusable', reason, message: 'they are wrong' })
      `,
    )
    return pathToFileURL(file)
  }
  const lengths = (vectors: readonly Float32Array[]) => vectors.map(([first]) => first)

  test.runIf(process.arch === 'x64')('starts without the revectorizer when the self-test fails with it', async () => {
    const encoder = encoderWith({ program: await scripted('plain', { ready: '!revectorize' }) })
    expect(lengths(await encoder.encode(['a', 'bb']))).toEqual([1, 2])
    expect(warnings).toEqual(["the sentence encoder is started again without V8's revectorizer"])
  })

  test('is unavailable when the self-test fails without it as well', async () => {
    const encoder = encoderWith({ program: await scripted('wrong', { ready: 'false' }) })
    const waiting = [encoder.encode(['a']), encoder.encode(['b'], { urgent: true })]
    for (const one of waiting) {
      await expect(one).rejects.toMatchObject({ reason: 'wrong vectors', message: 'they are wrong' })
    }
    expect(encoder.trouble?.reason).toBe('wrong vectors')
  })

  test('gives up on a request that ends the process twice; the others are answered', async () => {
    const program = await scripted('crash', { onText: `if (text === 'crash') process.kill(process.pid, 'SIGKILL')` })
    const encoder = encoderWith({ program })
    const [before, crash, after] = [encoder.encode(['a']), encoder.encode(['crash']), encoder.encode(['bb', 'ccc'])]
    await expect(crash).rejects.toMatchObject({ reason: 'crashed' })
    expect(lengths([...(await before), ...(await after)])).toEqual([1, 2, 3])
    expect(warnings).toHaveLength(2)
  })

  test.runIf(process.arch === 'x64')('starts without the revectorizer after its code crashed', async () => {
    const onText = `if (revectorize) process.kill(process.pid, 'SIGSEGV')`
    const encoder = encoderWith({ program: await scripted('fault', { onText }) })
    expect(lengths(await encoder.encode(['a']))).toEqual([1])
  })

  test('answers urgent requests first, even in the middle of a long one', async () => {
    const encoder = encoderWith({ program: await scripted('order', {}) })
    const order: string[] = []
    const ask = (name: string, texts: string[], urgent: boolean) =>
      encoder.encode(texts, { urgent }).then((vectors) => {
        order.push(name)
        return lengths(vectors)
      })
    const long = Array.from({ length: 5_000 }, (_, index) => `${index}`)
    const first = ask('long', long, false)
    const second = ask('short', ['bb'], false)
    const third = ask('urgent', ['ccc'], true)
    expect(await Promise.all([first, second, third])).toEqual([long.map(({ length }) => length), [2], [3]])
    expect(order).toEqual(['urgent', 'long', 'short'])
  })

  test('bounds what waits, and forgets what nobody waits for', async () => {
    const encoder = encoderWith({ program: await scripted('bounds', {}) })
    const stop = new AbortController()
    const abandoned = encoder.encode(Array<string>(9_999).fill('a'), { signal: stop.signal })
    await expect(encoder.encode(['b', 'c'])).rejects.toMatchObject({ reason: 'busy' })
    expect(await encoder.encode(['b', 'c'], { urgent: true })).toHaveLength(2)
    stop.abort(new Error('not needed'))
    await expect(abandoned).rejects.toThrow('not needed')
    expect(await encoder.encode(['b', 'c'])).toHaveLength(2)
    await expect(encoder.encode(['b'], { signal: stop.signal })).rejects.toThrow('not needed')
  })

  test('rejects what waits when it is stopped, also while the process starts', async () => {
    const encoder = encoderWith({ program: await scripted('stop', {}) })
    const waiting = encoder.encode(['a'])
    encoder.stop()
    await expect(waiting).rejects.toMatchObject({ reason: 'off' })
    await expect(encoder.encode(['a'])).rejects.toMatchObject({ reason: 'off' })
    expect(warnings).toEqual([])
  })
})
