import { expect, test } from 'vitest'
import { countReadings, readLastItem, requestReading } from '../insights/index.ts'
import { ReadingWorld } from './tasks/readings/testing.ts'
import { withWorld, world } from './testing.ts'

withWorld()

test('what is left is counted without what is read, kept or out of scope', async () => {
  const reading = await ReadingWorld.start(world)
  const { workspaceId } = reading.company
  const left = (scope: { since: number; before: number }) =>
    world.inside(workspaceId, async (tx) => (await countReadings(tx, workspaceId, scope)).left)
  const last = await world.inside(workspaceId, (tx) => readLastItem(tx, workspaceId))
  expect([await left({ since: 0, before: 0 }), await left({ since: last, before: 0 })]).toEqual([3, 0])
  expect(await left({ since: last, before: last - 1 })).toBe(2)
  await reading.choose({ scope: 'all' })
  await reading.run()
  expect(await left({ since: 0, before: 0 })).toBe(0)
  await reading.company.store([{ id: 'later', text: 'One more message about the CSV export.' }])
  expect([await left({ since: last, before: 0 }), await left({ since: 0, before: 0 })]).toEqual([1, 1])
  const again = await world.inside(workspaceId, (tx) => requestReading(tx, workspaceId, last + 1, world.now))
  expect([again, await left({ since: last, before: 0 })]).toEqual(['requested', 1])
  const { unread } = await world.inside(workspaceId, (tx) => countReadings(tx, workspaceId, { since: 0, before: 0 }))
  expect(unread).toBe(0)
  await reading.model.stop()
})
