import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readJsonBodies } from './body.ts'
import { errorAnswer } from './errors.ts'
import { parseJson } from './parse-json.ts'

const MEBIBYTE = 1024 * 1024
let app: FastifyInstance

beforeEach(async () => {
  app = fastify({ bodyLimit: 40 * MEBIBYTE })
  readJsonBodies(app)
  app.setErrorHandler((error, _request, reply) => {
    const { status, body } = errorAnswer(error)
    return reply.code(status).send(body)
  })
  app.post('/length', async (request) => ({ length: (request.body as { text?: string } | undefined)?.text?.length }))
})
afterEach(() => app.close())

const send = (payload: string | Buffer) =>
  app.inject({ method: 'POST', url: '/length', headers: { 'content-type': 'application/json' }, payload })

describe('a JSON body', () => {
  it('is parsed in the event loop if it is small, and in another thread if it is large', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    const seen = () => parse.mock.calls.map(([text]) => text.length).filter((length) => length > 100_000)
    const text = 'é'.repeat(200_000)
    expect((await send(JSON.stringify({ text }))).json()).toEqual({ length: 200_000 })
    expect(seen()).toHaveLength(1)
    const large = 'é'.repeat(6 * MEBIBYTE)
    const { payload } = await send(JSON.stringify({ text: large }))
    expect(payload).toBe(JSON.stringify({ length: large.length }))
    expect(seen()).toHaveLength(1)
    parse.mockRestore()
  })

  it('of many values is parsed in another thread too, however small it is', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    const list = Array.from({ length: 99_000 }, () => 0)
    const { payload } = await send(JSON.stringify({ text: list }))
    expect(payload).toBe(JSON.stringify({ length: list.length }))
    expect(parse).not.toHaveBeenCalled()
    parse.mockRestore()
  })

  it.each([10, 5_000])('nested too deeply is refused before it is parsed: %s levels above', async (levels) => {
    const nested = (depth: number) => `${'['.repeat(depth)}${'9'.repeat(20)}${']'.repeat(depth)}`
    expect((await send(`{"text":${nested(63)}}`)).statusCode).toBe(200)
    const answer = await send(`{"text":${nested(64 + levels)}}`)
    const message = 'The body is nested more than 64 levels deep'
    expect([answer.statusCode, answer.json()]).toEqual([400, { code: 'invalid_input', message }])
  })

  it('leaves other calls answered while a large one is parsed', async () => {
    let done = false
    const large = send(JSON.stringify({ text: 'a'.repeat(30 * MEBIBYTE) })).finally(() => {
      done = true
    })
    let meanwhile = 0
    while (!done) {
      await send('{"text":"abc"}')
      meanwhile += 1
    }
    expect((await large).json()).toEqual({ length: 30 * MEBIBYTE })
    expect(meanwhile).toBeGreaterThan(1)
  })

  it.each([
    ['small', 100],
    ['large', 2 * MEBIBYTE],
  ])('that is no JSON, no UTF-8 or reaches for a prototype is refused: %s', async (_size, size) => {
    const filling = 'a'.repeat(size)
    for (const [body, message] of [
      [`{"text":"${filling}"`, 'The body is not valid JSON'],
      [Buffer.from(`{"text":"${filling}\xff"}`, 'latin1'), 'The body is not UTF-8'],
      [`{"__proto__":{"a":1},"text":"${filling}"}`, 'The body is not valid JSON'],
      [`{"constructor":{"prototype":{}},"text":"${filling}"}`, 'The body is not valid JSON'],
    ] as const) {
      const answer = await send(body as string)
      expect([answer.statusCode, answer.json()]).toEqual([400, { code: 'invalid_input', message }])
    }
  })

  it('of nothing counts as none', async () => {
    expect((await send('')).json()).toEqual({})
  })
})

describe('the number of values', () => {
  const refused = { refused: 'The body has more than 100,000 values' }

  it.each([
    ['objects', `[${'{},'.repeat(300_000)}{}]`],
    ['arrays', `[${'[],'.repeat(100_001)}[]]`],
    ['numbers', `[${'1,'.repeat(100_001)}1]`],
    ['texts', `[${'"\\"",'.repeat(100_001)}1]`],
  ])('is limited, and found without parsing: %s', (_what, text) => {
    const parse = vi.spyOn(JSON, 'parse')
    expect(parseJson(Buffer.from(text))).toEqual(refused)
    expect(parse).not.toHaveBeenCalled()
    parse.mockRestore()
  })

  it('does not count signs in texts', () => {
    const text = '[{,"'.repeat(100_000)
    expect(parseJson(Buffer.from(JSON.stringify({ text })))).toEqual({ value: { text } })
  })
})
