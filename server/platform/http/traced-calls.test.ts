import { type FastifyInstance, fastify } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { currentParent } from '../traces/spans.ts'
import { parentOf, type RecordedTraces, recordTraces } from '../traces/testing.ts'
import { traceCalls } from './traced-calls.ts'

const ID = '6f0f6f2e-95a2-4b0c-9c8e-0a4f5d3b2a10'

let traces: RecordedTraces
let url: string
let app: FastifyInstance

beforeEach(async () => {
  traces = recordTraces()
  app = fastify({ genReqId: () => ID })
  const traced = traceCalls(app, { isOn: true, routeOf: (request) => request.routeOptions.url ?? 'unknown' })
  app.get('/api/live', async () => 'live')
  app.get('/api/things/:id', async (request) => traced.within(request, async () => ({ parent: currentParent() })))
  app.get('/api/broken', async (_, reply) => reply.code(503).send('Zyzzyva'))
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(async () => {
  await app.close()
  traces.stop()
})

const spanOf = async (name: string) => {
  await expect.poll(() => traces.spans().map((span) => span.name)).toContain(name)
  return traces.spans().find((span) => span.name === name)
}

test("a call continues its caller's trace, without its tracestate, and its work is a part of it", async () => {
  const headers = { traceparent: parentOf('a'), tracestate: 'vendor=Zyzzyva', baggage: 'name=Zyzzyva' }
  const reply = await fetch(`${url}/api/things/Zyzzyva?name=Zyzzyva`, { headers })
  expect(((await reply.json()) as { parent: string }).parent).toMatch(/^00-a{32}-[0-9a-f]{16}-01$/)
  const span = await spanOf('GET /api/things/:id')
  expect(span?.parentSpanContext?.spanId).toBe('a'.repeat(16))
  expect(span?.attributes).toEqual({
    'http.request.method': 'GET',
    'http.route': '/api/things/:id',
    'http.response.status_code': 200,
    'groundswell.request': ID,
  })
})

test('a header that is not one begins a trace', async () => {
  await fetch(`${url}/api/things/1`, { headers: { traceparent: `${parentOf('a')}-and-more` } })
  const span = await spanOf('GET /api/things/:id')
  expect(span?.parentSpanContext).toBeUndefined()
  expect(span?.spanContext().traceId).not.toBe('a'.repeat(32))
})

test('a failed call is told by its status; a probe is not told', async () => {
  await fetch(`${url}/api/live`)
  await fetch(`${url}/api/broken`)
  expect((await spanOf('GET /api/broken'))?.attributes).toMatchObject({ 'error.type': '503' })
  expect(traces.spans()).toHaveLength(1)
})
