import { SpanStatusCode, trace } from '@opentelemetry/api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { allowedFacts, allowedName } from './facts.ts'
import { currentParent, inPart, inStart, isRecorded } from './spans.ts'
import { parentOf, type RecordedTraces, recordTraces } from './testing.ts'

const MARK = 'Zyzzyva'
const JOB = '6f0f6f2e-95a2-4b0c-9c8e-0a4f5d3b2a10'

const job = (from: readonly string[] = []) => ({ name: 'job test', kind: 'consumer', from }) as const

describe('without the SDK', () => {
  test('work runs as it is, and nothing is carried', async () => {
    const seen = await inStart(job([parentOf('a')]), () =>
      inPart({ name: 'part' }, async (span) => {
        span.say({ 'groundswell.messages': 1 })
        span.fail('unavailable')
        return [isRecorded(), currentParent()]
      }),
    )
    expect(seen).toEqual([false, undefined])
    await expect(inStart(job(), () => Promise.reject(new Error('as it was')))).rejects.toThrow('as it was')
  })
})

describe('with the SDK', () => {
  let traces: RecordedTraces

  beforeEach(() => {
    traces = recordTraces()
  })
  afterEach(() => traces.stop())

  const sent = async () => {
    await expect.poll(() => traces.spans().length).toBeGreaterThan(0)
    return traces.spans()
  }

  test('the parent is the first sender that is recorded, and the others are links, one of each trace', async () => {
    const senders = [parentOf('a', '00'), parentOf('b'), parentOf('c'), parentOf('c'), 'nonsense']
    await inStart(job(senders), async () => undefined)
    const [span] = await sent()
    expect(span?.spanContext().traceId).toBe('b'.repeat(32))
    expect(span?.parentSpanContext?.spanId).toBe('b'.repeat(16))
    expect(span?.links.map((link) => link.context.traceId)).toEqual(['a'.repeat(32), 'c'.repeat(32)])
  })

  test('a sender that is not recorded has work that is not recorded, which says so to its own', async () => {
    const next = await inStart(job([parentOf('a', '00')]), async () => currentParent())
    expect(next).toMatch(/^00-a{32}-[0-9a-f]{16}-00$/)
    expect(traces.spans()).toEqual([])
  })

  test('a part is linked to what else it follows from, and is nothing outside of a trace', async () => {
    await inPart({ name: 'alone' }, async () => undefined)
    await inStart(job([parentOf('a')]), () =>
      inPart({ name: 'part', follows: [parentOf('a'), parentOf('b')] }, async () => undefined),
    )
    await expect.poll(() => traces.spans().map(({ name }) => name)).toEqual(['part', 'job test'])
    const [part] = await sent()
    expect(part?.links.map((link) => link.context.traceId)).toEqual(['b'.repeat(32)])
  })

  test('a failure is told by its kind, without its words', async () => {
    const error = Object.assign(new Error(MARK), { kind: 'rejected' })
    await expect(inStart(job(), () => Promise.reject(error))).rejects.toBe(error)
    const [span] = await sent()
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR })
    expect(span?.attributes).toEqual({ 'error.type': 'rejected' })
    expect(span?.events).toEqual([])
  })

  test('nothing of a library, and nothing that is not allowed, passes the last gate', async () => {
    trace
      .getTracer('ai')
      .startSpan('prompt', { attributes: { prompt: MARK } })
      .end()
    const careless = trace.getTracer('groundswell').startSpan(`https://example.com/?q=${MARK}`, {
      attributes: { text: MARK, 'error.type': MARK, 'groundswell.messages': 3 },
    })
    careless.recordException(new Error(MARK))
    careless.addEvent(MARK, { text: MARK })
    careless.setStatus({ code: SpanStatusCode.ERROR, message: MARK })
    careless.end()
    const spans = await sent()
    expect(spans).toHaveLength(1)
    expect(JSON.stringify(spans.map((span) => ({ ...span, resource: null })))).not.toContain(MARK)
    expect(spans[0]).toMatchObject({ name: 'unnamed', attributes: { 'groundswell.messages': 3 }, events: [] })
  })
})

test('facts are words of the program, ids and counts', () => {
  const right = {
    'http.request.method': 'GET',
    'http.route': '/api/insights/:id',
    'http.response.status_code': 200,
    'messaging.destination.name': 'group-workspace',
    'error.type': 'unavailable',
    'groundswell.request': JOB,
    'groundswell.job': JOB,
    'groundswell.attempt': 2,
    'groundswell.connector': 'webhook',
    'groundswell.messages': 500,
    'groundswell.deliveries': 0,
  }
  expect(allowedFacts(right)).toEqual(right)
  const wrong = {
    'http.route': '/api/x?token=1',
    'error.type': 'Cannot log in',
    'groundswell.job': 'Ann',
    'groundswell.connector': 'ann@example.com',
    'groundswell.messages': 'three',
    'url.full': 'https://example.com/',
    toString: 'x',
  }
  expect(allowedFacts(wrong)).toEqual({})
  expect(allowedName('GET /api/insights/:id')).toBe('GET /api/insights/:id')
  expect(allowedName('https://example.com/?q=1')).toBe('unnamed')
})
