import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { withdrawReviews } from '../../index.ts'
import { withWorld, world } from '../../testing.ts'
import { claimDecisions, readDecisions } from './review-move-store.ts'

withWorld()

test('a step claims what reviews decided, unless it was withdrawn since the step read it', async () => {
  const workspace = await world.workspace()
  const said = ['one', 'two', 'three'].map((text) => ({ message: text, text }))
  await world.insight(workspace, 1, said)
  await world.insight(workspace, 2, said)
  const inside = <T>(work: Parameters<typeof world.inside<T>>[1]) => world.inside(workspace, work)
  await inside(async (tx) => {
    await sql`
      insert into model_move (workspace_id, item_id, number, from_number, to_number, state, later, model, prompt_version, decided_at)
      select workspace_id, item_id, number, 1, 0, 'waiting', false, 'small', 'p', now() from statement where issue_number = 1`.execute(
      tx,
    )
    await sql`
      insert into model_review (workspace_id, issue_number, mention_count, model, prompt_version, reviewed_at, same, merge_into)
      values (${workspace}, 2, 3, 'small', 'p', now(), '{1}', 1)`.execute(tx)
  })
  const decided = await inside((tx) => readDecisions(tx, workspace))
  expect([decided.moves.length, decided.merges]).toEqual([3, [{ from: 2, into: 1 }]])
  const claim = (given: typeof decided) => inside((tx) => claimDecisions(tx, workspace, given))
  expect(await claim(decided)).toBe(true)
  await inside((tx) => withdrawReviews(tx, workspace))
  expect(await inside((tx) => readDecisions(tx, workspace))).toEqual({ moves: [], merges: [] })
  expect(await claim({ ...decided, merges: [] })).toBe(false)
  expect(await claim({ ...decided, moves: [] })).toBe(false)
  expect(await claim({ moves: [], merges: [] })).toBe(true)
})
