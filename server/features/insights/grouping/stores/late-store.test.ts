import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { withWorld, world } from '../../testing.ts'
import { addLateItems, clearLateItems, readLateItems } from './late-store.ts'

withWorld()

test('vectors that are stored while a step reads earlier ones wait for the next step', async () => {
  const workspace = await world.workspace()
  await world.store(workspace, [
    { id: 'a', text: 'Export fails' },
    { id: 'b', text: 'Dark mode' },
  ])
  await world.inside(workspace, async (tx) => {
    const { rows } = await sql<{ id: number }>`select id from feedback_item order by id`.execute(tx)
    const [a = 0, b = 0] = rows.map(({ id }) => id)
    await addLateItems(tx, workspace, [b, a, b, 999_999])
    const read = await readLateItems(tx, workspace, 10)
    expect(read).toEqual([a, b].map((itemId) => ({ itemId, times: 1 })))
    expect(await readLateItems(tx, workspace, 1)).toEqual(read.slice(0, 1))
    await addLateItems(tx, workspace, [a])
    await clearLateItems(tx, workspace, read)
    expect(await readLateItems(tx, workspace, 10)).toEqual([{ itemId: a, times: 2 }])
  })
  expect(await world.waitsToBeGrouped(workspace)).toBe(true)
})
