import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { corrected, csv, mail, useFreshWorkspaces, world } from './fresh-workspace.ts'

useFreshWorkspaces()

type Detail = {
  moved_by_review?: string[]
  merged_by_review?: { issue_number: number; mentions: string[] }[]
  history: { event: string; count?: number; other?: number }[]
}

async function detailOf(issue: number): Promise<Detail> {
  const { body } = await world.call(corrected.workspace, 'GET', `/api/insights/${issue}/detail`, {})
  return body as unknown as Detail
}

/** Has the next grouping take these mentions out of an insight, as a review does; returns those that it took. */
async function take(from: number, to: number, mentions: readonly string[]): Promise<string[]> {
  await world.inside(corrected.workspace, (tx) =>
    sql`insert into model_move (workspace_id, item_id, number, from_number, to_number, state, later, model, prompt_version, decided_at)
      select workspace_id, item_id, number, ${from}, ${to}, 'waiting', false, 'small', 'review-insight-1', now() from statement
      where item_id || ':' || number = any(${[...mentions]}::text[])
      on conflict (workspace_id, item_id, number, from_number) do update set state = 'waiting'`.execute(tx),
  )
  await corrected.group()
  return (await detailOf(from)).moved_by_review ?? []
}

/** Adds mentions to the CSV insight that are less like it than the others. */
async function strangers(): Promise<string[]> {
  const texts = [
    'CSV export stops after the first thousand rows since Tuesday and our auditors want dates',
    'CSV export of every report stops after the first thousand rows and needs another separator',
  ]
  const at = new Date('2026-02-02T00:00:00Z')
  await world.store(
    corrected.workspace,
    texts.map((text, n) => ({ id: `odd${n}`, text, author: `odd ${n}`, at })),
  )
  await corrected.group()
  expect([await corrected.issueOf('odd0'), await corrected.issueOf('odd1')]).toEqual([csv, csv])
  return [await corrected.mentionOf('odd0'), await corrected.mentionOf('odd1')]
}

test.each([
  ['out of an insight', 0],
  ['into another insight', 1],
])('what a review moved %s is put back in one step, and stays there', async (_, over) => {
  const to = over === 0 ? 0 : mail
  const odd = await strangers()
  const before = await corrected.mentions(csv)
  const moved = await take(csv, to, odd)
  expect(moved.length).toBeGreaterThan(0)
  const left = await corrected.mentions(csv)
  expect(left.filter((id) => moved.includes(id))).toEqual([])
  expect((await detailOf(csv)).history).toContainEqual(
    expect.objectContaining({ event: 'reviewed_out', count: moved.length, ...(to > 0 ? { other: to } : {}) }),
  )
  const made = await corrected.apply(csv, { kind: 'add', mentions: moved })
  expect(made).toMatchObject({ state: 'applied', can_undo: true })
  expect((await corrected.mentions(csv)).sort()).toEqual([...before].sort())
  expect((await detailOf(csv)).moved_by_review).toBeUndefined()
  const [first = ''] = moved
  expect(await take(csv, 0, [first])).toEqual([])
  expect(await corrected.mentions(csv)).toContain(first)
  await corrected.undo(made.correction_id)
  await corrected.group()
  expect((await corrected.mentions(csv)).sort()).toEqual([...left].sort())
})

test('what reviews merged is taken out again in one step, stays there, and is not merged again', async () => {
  const theirs = await corrected.mentions(mail)
  const own = await corrected.mentions(csv)
  await world.inside(corrected.workspace, (tx) =>
    sql`insert into model_review (workspace_id, issue_number, mention_count, model, prompt_version, merge_into, merge_later, reviewed_at)
      select workspace_id, issue_number, mention_count, 'small', 'review-insight-2', ${csv}::int, true, now() - interval '3 days' from insight
      where issue_number = ${mail}`.execute(tx),
  )
  await corrected.group()
  expect((await corrected.mentions(csv)).sort()).toEqual([...own, ...theirs].sort())
  const counted = await world.inside(corrected.workspace, (tx) =>
    sql<{ moves: number }>`select count(*)::int as moves from model_move move
      join model_review r on r.issue_number = move.from_number
      where move.whole and move.later and move.decided_at <> r.reviewed_at`.execute(tx),
  )
  expect(counted.rows).toEqual([{ moves: theirs.length }])
  const detail = await detailOf(csv)
  expect(detail.merged_by_review).toEqual([{ issue_number: mail, mentions: expect.arrayContaining(theirs) }])
  expect(detail.history).toContainEqual(
    expect.objectContaining({ event: 'reviewed_in', count: theirs.length, other: mail }),
  )
  const [{ mentions } = { mentions: [] }] = detail.merged_by_review ?? []
  const made = await corrected.apply(csv, { kind: 'split', mentions })
  expect(made).toMatchObject({ state: 'applied', can_undo: true })
  expect((await corrected.mentions(csv)).sort()).toEqual([...own].sort())
  expect((await detailOf(csv)).merged_by_review).toBeUndefined()
  await corrected.group()
  expect((await corrected.mentions(csv)).sort()).toEqual([...own].sort())
  await corrected.undo(made.correction_id)
  await corrected.group()
  expect((await corrected.mentions(csv)).sort()).toEqual([...own, ...theirs].sort())
})

test('a mention that a review moved here says so, with the model and the prompt', async () => {
  const [moved = ''] = await take(csv, mail, await strangers())
  const { body } = await corrected.why(mail, moved)
  expect(body).toMatchObject({ decided_by: 'model', model: 'small', prompt_version: 'review-insight-1' })
  expect(body.rule).toContain('reviewed the insight that it was in')
})

test('adding what is in another insight otherwise is refused as before', async () => {
  const [other = ''] = await corrected.mentions(mail)
  expect((await corrected.request(csv, { kind: 'add', mentions: [other] })).status).toBe(409)
})
