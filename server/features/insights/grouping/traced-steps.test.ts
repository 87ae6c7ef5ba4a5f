import { afterAll, beforeAll, expect, test } from 'vitest'
import { inStart } from '../../../platform/traces/spans.ts'
import { parentOf, type RecordedTraces, recordTraces } from '../../../platform/traces/testing.ts'
import { type Message, World } from '../testing.ts'
import { groupWorkspace } from './run.ts'

let world: World
let traces: RecordedTraces

beforeAll(async () => {
  traces = recordTraces()
  world = await World.start()
})
afterAll(async () => {
  await world.stop()
  traces.stop()
})

test('a step is linked to what stored its messages, also while the run was under way', async () => {
  const workspace = await world.workspace()
  const messages: Message[] = Array.from({ length: 3 }, (_, n) => ({
    id: `m${n}`,
    text: `The CSV export stops after ${n} rows`,
    author: `person ${n}`,
    at: new Date(Date.UTC(2026, 1, 1, 0, n)),
  }))
  await world.store(workspace, messages)
  let asked = 0
  await inStart({ name: 'job group-workspace', kind: 'consumer', from: [parentOf('a')] }, () =>
    groupWorkspace(world.services, workspace, undefined, {
      senders: async () => {
        asked += 1
        return [parentOf('a'), parentOf('b')]
      },
    }),
  )
  expect(asked).toBeGreaterThan(0)
  await expect.poll(() => traces.spans().map(({ name }) => name)).toContain('job group-workspace')
  const [stored] = traces.spans().filter(({ name }) => name === 'store groups')
  expect(stored?.spanContext().traceId).toBe('a'.repeat(32))
  expect(stored?.attributes).toEqual({ 'groundswell.messages': 3 })
  expect(stored?.links.map((link) => link.context.traceId)).toEqual(['b'.repeat(32)])
})

test('outside of a trace nothing is asked for', async () => {
  const workspace = await world.workspace()
  await world.store(workspace, [{ id: 'm', text: 'It is slow', author: 'a', at: new Date(Date.UTC(2026, 1, 1)) }])
  const senders = () => Promise.reject(new Error('it was asked for'))
  expect((await groupWorkspace(world.services, workspace, undefined, { senders })).grouped).toBe(1)
})
