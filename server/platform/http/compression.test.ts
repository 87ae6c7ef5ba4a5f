import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { route } from '@groundswell/contract/route.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { readConfig } from '../config/config.ts'
import { silentLog } from '../log/log.ts'
import { createHttp } from './create.ts'
import { handle } from './handle.ts'
import { notModified, PreparedReply, preparedJson } from './prepared-reply.ts'

const Reply = z.object({ text: z.string() })
const LONG = 'The export fails. '.repeat(200)
const open = (name: string) =>
  route({ name, summary: name, method: 'GET', path: `/api/${name}`, access: 'public', reply: Reply, errors: [] })
const bytes = Buffer.from(JSON.stringify({ text: LONG }))

let app: FastifyInstance
beforeAll(async () => {
  const handlers = [
    handle(open('long'), async () => ({ text: LONG })),
    handle(open('short'), async () => ({ text: 'short' })),
    handle(open('tagged'), async ({ clientHas }) => (clientHas('1') ? notModified('1') : preparedJson(bytes, '1'))),
    handle(open('file'), async () => new PreparedReply(200, { 'content-type': 'text/csv; charset=utf-8' }, LONG)),
  ]
  app = await createHttp({ config: readConfig({}), log: silentLog() }, { handlers, authenticate: async () => null })
})
afterAll(() => app.close())

const ask = (url: string, accepted?: string, more: Record<string, string> = {}) =>
  app.inject({ url: `/api/${url}`, headers: { ...(accepted ? { 'accept-encoding': accepted } : {}), ...more } })

it('compresses a reply as the client takes it', async () => {
  const [br, gzip, plain] = [await ask('long', 'gzip, br'), await ask('long', 'gzip, br;q=0'), await ask('long')]
  expect([br, gzip, plain].map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', undefined])
  expect(JSON.parse(brotliDecompressSync(br.rawPayload).toString())).toEqual({ text: LONG })
  expect(JSON.parse(gunzipSync(gzip.rawPayload).toString())).toEqual({ text: LONG })
  expect(plain.json()).toEqual({ text: LONG })
  for (const { headers, rawPayload } of [br, gzip, plain]) {
    expect(String(headers.vary).toLowerCase()).toContain('accept-encoding')
    expect(Number(headers['content-length'])).toBe(rawPayload.length)
  }
  expect(br.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5)
})

it('leaves small replies and files as they are', async () => {
  for (const url of ['short', 'file']) {
    const reply = await ask(url, 'br')
    expect([url, reply.headers['content-encoding']]).toEqual([url, undefined])
  }
})

it('has a weak ETag where bytes depend on what the client takes, and a poll with it is answered by 304', async () => {
  const { headers, rawPayload } = await ask('tagged', 'br')
  const plain = await ask('tagged')
  expect(headers.etag).toBe(`W/${String(plain.headers.etag)}`)
  expect(JSON.parse(brotliDecompressSync(rawPayload).toString())).toEqual({ text: LONG })
  for (const etag of [headers.etag, plain.headers.etag]) {
    const same = await ask('tagged', 'br', { 'if-none-match': String(etag) })
    expect([same.statusCode, same.headers.etag, same.rawPayload.length]).toEqual([304, headers.etag, 0])
    expect(same.headers['content-encoding']).toBeUndefined()
  }
  expect((await ask('tagged', 'br')).rawPayload.equals(rawPayload)).toBe(true)
})
