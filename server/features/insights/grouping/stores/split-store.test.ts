import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { withWorld, world } from '../../testing.ts'
import { settleSplits, spansOf } from './split-store.ts'

withWorld()

test('offsets are pairs of start and end', () => {
  expect(spansOf([0, 4, 6, 9])).toEqual([
    { start: 0, end: 4 },
    { start: 6, end: 9 },
  ])
  expect(spansOf([])).toEqual([])
})

test('a split that was used is recorded, unless a correction was made meanwhile', async () => {
  const workspace = await world.workspace()
  await world.insight(workspace, 1, [{ message: 'one thing and another', text: 'one thing' }])
  const settle = (pieces: number[] | null) =>
    world.inside(workspace, async (tx) => {
      const { rows } = await sql<{ id: number }>`select id from feedback_item`.execute(tx)
      const [{ id }] = rows as [{ id: number }]
      await sql`
        insert into model_split (workspace_id, item_id, text_hash, pieces, state, model, prompt_version, decided_at)
        values (${workspace}, ${id}, 'hash', '{0,9}', 'waiting', 'small', 'p', now())
        on conflict (workspace_id, item_id, text_hash) do update set state = 'waiting'`.execute(tx)
      const kept = await settleSplits(tx, workspace, [{ id, pieces }])
      const states = await sql<{ state: string | null }>`select state from model_split`.execute(tx)
      return [kept, states.rows[0]?.state]
    })
  expect(await settle([0, 9])).toEqual([true, 'applied'])
  expect(await settle(null)).toEqual([true, null])
  await world.inside(workspace, (tx) =>
    sql`insert into correction (workspace_id, issue_number, kind, request, person, touched)
      values (${workspace}, 1, 'lock', '{}', 'Ann', '{1}')`.execute(tx),
  )
  expect((await settle([0, 9]))[0]).toBe(false)
  expect((await settle(null))[0]).toBe(true)
})
