import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ModelFailure } from '../../../platform/model-provider/failure.ts'
import { answer, type ReceivedRequest, ScriptedEmbeddings } from '../testing.ts'
import { dimensionsOf, packVector, unpackVector } from '../vector-bytes.ts'
import { batchesOf, textToEmbed } from './embedder.ts'
import { openEndpoint } from './endpoint.ts'

let model: ScriptedEmbeddings
const usual: ScriptedEmbeddings['script'] = (heard, response) =>
  answer(
    response,
    heard.input.map((text) => [text.length, 3, 4]),
  )

beforeAll(async () => {
  model = await ScriptedEmbeddings.start()
  model.script = usual
})
afterAll(() => model.stop())
afterEach(() => {
  model.script = usual
  model.heard.length = 0
})

const embedder = (more: { timeLimitMs?: number; key?: string } = {}) => {
  const settings = { provider: 'openai-compatible' as const, url: model.url, key: more.key, model: 'small' }
  return openEndpoint(settings, { timeLimitMs: more.timeLimitMs, now: () => new Date('2026-03-02T10:00:00Z') })
}
const never = new AbortController().signal

test('sends a request of the protocol, and normalises every vector', async () => {
  const vectors = await embedder({ key: 'right' }).embed(['', 'abc'], never)
  expect(vectors.map((vector) => [...vector].map((value) => Number(value.toFixed(3))))).toEqual([
    [0, 0.6, 0.8],
    [0.514, 0.514, 0.686],
  ])
  expect(model.heard[0]).toMatchObject({
    url: '/v1/embeddings',
    model: 'small',
    input: ['', 'abc'],
    headers: { authorization: 'Bearer right' },
  })
  expect(embedder().space).toBe('openai-compatible/small')
})

test('vectors in another order are sorted by their indices', async () => {
  model.script = (_heard, response) => {
    const data = [
      { index: 1, embedding: [0, 1] },
      { index: 0, embedding: [1, 0] },
    ]
    response.end(JSON.stringify({ data }))
  }
  expect((await embedder().embed(['a', 'b'], never)).map((one) => [...one])).toEqual([
    [1, 0],
    [0, 1],
  ])
})

const raw = (text: string) => (_heard: ReceivedRequest, response: ServerResponse) => void response.end(text)
const status =
  (code: number, headers: Record<string, string> = {}) =>
  (_heard: ReceivedRequest, response: ServerResponse) =>
    void response.writeHead(code, headers).end('{"error":{"message":"no: secret words of a customer"}}')
const rows =
  (...vectors: unknown[]) =>
  (_heard: ReceivedRequest, response: ServerResponse) =>
    answer(response, vectors)

const malformedReplies: [string, ScriptedEmbeddings['script'], string, string][] = [
  ['no JSON', raw('<html>'), 'rejected', 'not an embedding reply'],
  ['another form', raw('{"vectors":[[1]]}'), 'rejected', 'not an embedding reply'],
  ['too few', rows([1, 2]), 'rejected', '1 vectors for 2 texts'],
  ['too many', rows([1, 2], [1, 2], [1, 2]), 'rejected', '3 vectors for 2 texts'],
  ['words for numbers', rows(['a', 'b'], [1, 2]), 'rejected', 'not an embedding reply'],
  ['null for a number', rows([null, 1], [1, 2]), 'rejected', 'not an embedding reply'],
  ['NaN', raw('{"data":[{"index":0,"embedding":[NaN,1]}]}'), 'rejected', 'not an embedding reply'],
  [
    'infinity',
    raw('{"data":[{"index":0,"embedding":[1e999,1]},{"index":1,"embedding":[1,1]}]}'),
    'rejected',
    'not an embedding reply',
  ],
  ['zeros', rows([0, 0], [1, 2]), 'rejected', 'a vector of zeros'],
  ['two dimensions', rows([1, 2, 3], [1, 2]), 'rejected', 'vectors of 3 and of 2 numbers'],
  ['none', rows([], []), 'rejected', 'vectors of 0 numbers'],
  [
    'the same place twice',
    raw('{"data":[{"index":0,"embedding":[1,1]},{"index":0,"embedding":[1,1]}]}'),
    'rejected',
    'wrong indices',
  ],
  [
    'a place that is none',
    raw('{"data":[{"index":0,"embedding":[1,1]},{"index":7,"embedding":[1,1]}]}'),
    'rejected',
    'wrong indices',
  ],
  ['a wrong key', status(401), 'auth', 'the key was refused (401)'],
  ['no money', status(402), 'auth', 'payment is required (402)'],
  ['a redirect', status(307, { location: 'http://127.0.0.1:9/' }), 'rejected', 'another address (307)'],
  ['a refusal', status(400), 'rejected', 'rejected the request (400)'],
  ['trouble', status(503), 'unavailable', 'returned 503'],
  ['a broken connection', (_heard, response) => void response.destroy(), 'unavailable', 'the connection failed'],
]

test.each(malformedReplies)('%s: a clear error in our own words', async (_what, script, kind, words) => {
  model.script = script
  const failure = await embedder()
    .embed(['a', 'b'], never)
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ModelFailure)
  expect(failure).toMatchObject({ kind, message: expect.stringContaining(words) as string })
  expect((failure as Error).message).not.toContain('secret')
})

test('a rate limit passes its pause on to the queue', async () => {
  for (const [header, seconds] of [
    ['7', 7],
    ['Mon, 02 Mar 2026 10:02:00 GMT', 120],
    ['soon', 60],
  ] as const) {
    model.script = status(429, { 'retry-after': header })
    await expect(embedder().embed(['a'], never)).rejects.toMatchObject({ kind: 'rate-limited', retryAfter: seconds })
  }
})

test('a call to a server that stalls times out, and a stop ends it at once', async () => {
  model.script = () => undefined
  await expect(embedder({ timeLimitMs: 50 }).embed(['a'], never)).rejects.toMatchObject({ kind: 'unavailable' })
  const stop = new AbortController()
  const asked = embedder().embed(['a'], stop.signal)
  stop.abort(new Error('stopped'))
  await expect(asked).rejects.toThrow('stopped')
})

test('an endless response is cut off', async () => {
  model.script = (_heard, response) => {
    const piece = Buffer.alloc(1024 * 1024, ' ')
    const more = (): void => void (response.writable && response.write(piece, more))
    more()
  }
  await expect(embedder().embed(['a'], never)).rejects.toMatchObject({ message: 'the response is too large' })
})

test('batches are bounded by number and by bytes, and a text by its length', () => {
  const texts = (count: number, length: number) => Array.from({ length: count }, () => ({ text: 'x'.repeat(length) }))
  expect(batchesOf(texts(130, 10)).map((batch) => batch.length)).toEqual([63, 63, 4])
  expect(batchesOf(texts(5, 30_000)).map((batch) => batch.length)).toEqual([2, 2, 1])
  expect(textToEmbed(`  a\n\tb ${'c'.repeat(5_000)}`)).toHaveLength(2_000)
  expect(textToEmbed(`${'c'.repeat(1_999)}🤯`).isWellFormed()).toBe(true)
})

test('a packed vector is close to the original, and always the same', () => {
  const vector = Float32Array.from({ length: 384 }, (_, i) => Math.sin(i * 7.3))
  const length = Math.hypot(...vector)
  const unit = vector.map((value) => value / length)
  const packed = packVector(unit)
  expect([packed.byteLength, dimensionsOf(packed)]).toEqual([388, 384])
  const back = unpackVector(packed)
  expect(back.reduce((sum, value, i) => sum + value * (unit[i] as number), 0)).toBeGreaterThan(0.9999)
  expect(Math.hypot(...back)).toBeCloseTo(1, 5)
  expect(unpackVector(Uint8Array.from(packed))).toEqual(back)
})
