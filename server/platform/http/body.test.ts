import { createView } from '@groundswell/contract/views.ts'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { readJsonBodies } from './body.ts'
import { errorAnswer } from './errors.ts'
import { CheckedBody, parseInput } from './parse.ts'
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

  it('of many values is checked by the schema of its call there too: only what the call takes is copied', async () => {
    app.post('/view', { config: { call: createView.name } }, async ({ body }) => {
      const outcome = body instanceof CheckedBody && Object.keys('data' in body.part ? (body.part.data as object) : {})
      return { outcome, ...parseInput(createView, { params: {}, query: {}, body }) }
    })
    const view = (payload: object) => app.inject({ method: 'POST', url: '/view', payload })
    const many = Object.fromEntries(Array.from({ length: 90_000 }, (_, at) => [`key ${at}`, 0]))
    const right = { name: 'Mine', query: '', shared: false }
    expect((await view({ ...right, ...many })).json()).toEqual({ outcome: Object.keys(right), body: right })
    const answer = await view({ ...right, name: many, query: 'a\0' })
    expect([answer.statusCode, answer.json().fields]).toEqual([400, { query: 'must not hold the character NUL' }])
    const wrong = await view({ ...right, name: many })
    expect([wrong.statusCode, Object.keys(wrong.json().fields)]).toEqual([400, ['name']])
    expect((await view(right)).json()).toEqual({ outcome: false, body: right })
  })

  it('with thousands of errors names a thousand', () => {
    const rows = z.object({ rows: z.array(z.string()) })
    const body = { rows: Array.from({ length: 50_000 }, () => 0) }
    expect(() => parseInput({ body: rows }, { params: {}, query: {}, body })).toThrow(
      expect.objectContaining({ fields: expect.toSatisfy((fields: object) => Object.keys(fields).length === 1_000) }),
    )
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
