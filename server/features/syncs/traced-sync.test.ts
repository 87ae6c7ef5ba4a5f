import { afterAll, beforeAll, expect, test } from 'vitest'
import { currentParent, inStart } from '../../platform/traces/spans.ts'
import { parentOf, type RecordedTraces, recordTraces } from '../../platform/traces/testing.ts'
import { type SyncApp, smallCompany, startSyncApp } from './testing.ts'

const MESSAGES = 20

let app: SyncApp
let traces: RecordedTraces

beforeAll(async () => {
  traces = recordTraces()
  app = await startSyncApp(smallCompany(MESSAGES))
})
afterAll(async () => {
  await app.cleanup()
  traces.stop()
})

test('a sync shows its requests and the pages that it stored, without a word of them', async () => {
  const ann = await app.test.person('ann')
  await app.connect(ann)
  const parents: (string | undefined)[] = []
  await inStart({ name: 'job sync', kind: 'consumer', from: [parentOf('a')] }, () =>
    app.sync(ann, {}, async () => void parents.push(currentParent())),
  )
  await expect.poll(() => traces.spans().map(({ name }) => name)).toContain('job sync')
  const spans = traces.spans().filter((span) => span.spanContext().traceId === 'a'.repeat(32))
  const stored = spans.filter(({ name }) => name === 'store messages')
  // What a page causes follows from the span that stored it.
  const ids = stored.map((span) => span.spanContext().spanId)
  expect(parents.length).toBeGreaterThan(0)
  for (const parent of parents) expect(ids).toContain(parent?.split('-')[2])
  expect(stored.reduce((sum, span) => sum + Number(span.attributes['groundswell.messages']), 0)).toBe(MESSAGES)
  expect(spans.find(({ name }) => name === 'call slack')?.attributes).toEqual({
    'http.request.method': expect.any(String),
    'http.response.status_code': 200,
    'groundswell.connector': 'slack',
  })
  const told = JSON.stringify(
    spans.map(({ name, attributes, links, events, status }) => [name, attributes, links, events, status]),
  )
  expect(told).not.toMatch(/halfway|Person|Acme|general|127\.0\.0\.1|https?:|xox/)
})
