import { InsightDetail } from '@groundswell/contract/insights/insight-detail.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { deleteItems } from '../../feedback/index.ts'
import { forgetGroups, groupWorkspace } from '../grouping/run.ts'
import { corrected, csv, mail, useFreshWorkspaces, world } from './fresh-workspace.ts'
import { CorrectedWorkspace, messages } from './testing.ts'

useFreshWorkspaces()

/** Events in the life of a workspace: more messages, a killed process, a lost snapshot, a second process. */
async function live(from = 80): Promise<void> {
  await world.store(corrected.workspace, messages(40, from))
  await corrected.group()
  await forgetGroups(world.services)
  await world.inside(corrected.workspace, (tx) =>
    sql`update engine_state set state = null, grouped_seq = 0`.execute(tx),
  )
  await world.store(corrected.workspace, messages(40, from + 40))
  const other = world.otherProcess()
  await corrected.group(other)
  await forgetGroups(other)
  await world.store(corrected.workspace, messages(20, from + 80))
  await corrected.group()
}

/** Stores messages again with another text, like an edit at the source. */
const edit = (ids: string[], text: string) =>
  world.store(
    corrected.workspace,
    ids.map((id) => ({ id, text, author: 'somebody' })),
  )

async function expectCountsToAgree(): Promise<void> {
  const { rows } = await world.inside(corrected.workspace, (tx) =>
    sql`select issue_number, mention_count, hidden, count(s.*)::int as counted, count(distinct s.item_id) < 2 as few
      from insight left join statement s using (workspace_id, issue_number) group by workspace_id, issue_number
      having mention_count <> count(s.*) or hidden <> (count(distinct s.item_id) < 2)`.execute(tx),
  )
  expect(rows).toEqual([])
}

describe('a correction', () => {
  test('waits for the grouping, changes what the preview said, and reports what it did', async () => {
    const before = await corrected.list()
    const request = { kind: 'merge', into: mail } as const
    const preview = await corrected.preview(csv, request)
    expect(await corrected.list()).toEqual(before)
    const made = await corrected.request(csv, request)
    expect(made).toMatchObject({ status: 200, body: { state: 'waiting', changes: preview.body.changes } })
    expect(await corrected.correction(made.body.correction_id)).toMatchObject({
      state: 'waiting',
      can_undo: true,
      by: 'A',
    })
    const waits = () => world.waitsToBeGrouped(corrected.workspace)
    expect(await waits()).toBe(true)
    await corrected.group()
    expect(await waits()).toBe(false)
    const applied = await corrected.correction(made.body.correction_id)
    expect(applied).toMatchObject({ state: 'applied', other: mail, can_undo: true, changes: preview.body.changes })
    const [from, into] = [csv, mail].map((number) => before.find((one) => one.issue_number === number))
    const all = (from?.mention_count ?? 0) + (into?.mention_count ?? 0)
    expect(applied.changes).toMatchObject([
      { issue_number: csv, becomes: 'merged', mentions_before: from?.mention_count, mentions_after: 0 },
      { issue_number: mail, becomes: 'stays', mentions_before: into?.mention_count, mentions_after: all },
    ])
    const listed = async (issue: number) => (await corrected.list()).find((one) => one.issue_number === issue)
    await expect
      .poll(() => listed(mail))
      .toMatchObject({
        mention_count: all,
        people_count: applied.changes[1]?.people_after,
        issue_name: into?.issue_name,
      })
    expect(await listed(csv)).toBeUndefined()
    await expectCountsToAgree()
  })

  test('split creates an insight with its own number and name', async () => {
    const picks = (await corrected.mentions(csv)).slice(0, 6)
    const preview = await corrected.preview(csv, { kind: 'split', mentions: picks })
    expect(preview.body.changes).toMatchObject([
      { issue_number: csv, becomes: 'stays' },
      { issue_number: null, name: null, becomes: 'new', mentions_before: 0, mentions_after: 6 },
    ])
    const { other, changes } = await corrected.apply(csv, { kind: 'split', mentions: picks })
    expect((await corrected.mentions(Number(other))).sort()).toEqual(picks.sort())
    expect(changes[1]).toMatchObject({ issue_number: other, name: expect.stringMatching(/\w/), mentions_after: 6 })
    await expectCountsToAgree()
  })

  test('rename applies immediately and protects the name from the engine until the person clears it', async () => {
    const was = (await corrected.list()).find((one) => one.issue_number === csv)?.issue_name
    const name = async () => (await corrected.list()).find((one) => one.issue_number === csv)?.issue_name
    const made = await corrected.request(csv, { kind: 'rename', name: 'Exports are cut off' })
    expect(made.body).toMatchObject({
      state: 'applied',
      changes: [{ name: 'Exports are cut off', becomes: 'renamed' }],
    })
    await expect.poll(name).toBe('Exports are cut off')
    await live()
    expect(await corrected.nameOf(csv)).toBe('Exports are cut off')
    const { body } = await world.call(corrected.workspace, 'GET', `/api/insights/${csv}/detail`)
    expect(InsightDetail.parse(body)).toMatchObject({
      name_set_by: 'person',
      history: expect.arrayContaining([
        expect.objectContaining({ event: 'renamed', from: was, to: 'Exports are cut off', by: 'A' }),
      ]),
    })
    await corrected.request(csv, { kind: 'rename', name: null })
    expect(await corrected.nameOf(csv)).toMatch(/csv export/i)
    await expect.poll(name).toMatch(/csv export/i)
  })

  test('is in the history of every insight that it touched, with its author', async () => {
    const [one = '', two = '', three = ''] = await corrected.mentions(csv)
    const { other } = await corrected.apply(csv, { kind: 'split', mentions: [one] })
    await corrected.apply(csv, { kind: 'move', mentions: [two], to: mail })
    await corrected.apply(csv, { kind: 'reject', mentions: [three] })
    await corrected.apply(csv, { kind: 'lock', locked: true })
    const history = async (issue: number) =>
      InsightDetail.parse((await world.call(corrected.workspace, 'GET', `/api/insights/${issue}/detail`)).body).history
    expect(await history(csv)).toEqual(
      expect.arrayContaining([
        { at: expect.anything(), event: 'split_off', count: 1, other, by: 'A' },
        { at: expect.anything(), event: 'moved_out', count: 1, other: mail, by: 'A' },
        { at: expect.anything(), event: 'rejected', count: 1, by: 'A' },
        { at: expect.anything(), event: 'locked', by: 'A' },
      ]),
    )
    expect(await history(mail)).toContainEqual({
      at: expect.anything(),
      event: 'moved_in',
      count: 1,
      other: csv,
      by: 'A',
    })
    expect((await corrected.corrections(csv)).map(({ kind }) => kind)).toEqual(['lock', 'reject', 'move', 'split'])
    expect((await corrected.corrections(mail)).map(({ kind }) => kind)).toEqual(['move'])
  })
})

describe('stays in effect', () => {
  test('for mentions moved, rejected, ungrouped and split, throughout the life of a workspace', async () => {
    const [moved, rejected, nowhere, ...rest] = await corrected.mentions(csv)
    await corrected.apply(csv, { kind: 'move', mentions: [String(moved)], to: mail })
    await corrected.apply(csv, { kind: 'reject', mentions: [String(rejected)] })
    await corrected.apply(csv, { kind: 'move', mentions: [String(nowhere)], to: null })
    const { other } = await corrected.apply(csv, { kind: 'split', mentions: rest.slice(0, 5) })
    await live()
    expect(await corrected.mentions(mail)).toContain(moved)
    const now = await corrected.mentions(csv)
    expect(now).not.toContain(rejected)
    expect(now).not.toContain(nowhere)
    expect(now).toEqual(expect.arrayContaining(rest.slice(5)))
    expect(await corrected.mentions(Number(other))).toEqual(expect.arrayContaining(rest.slice(0, 5)))
    const { rows } = await world.inside(corrected.workspace, (tx) =>
      sql<{ issue: number | null }>`
        select issue_number as issue from statement where item_id || ':' || number = ${String(nowhere)}`.execute(tx),
    )
    expect(rows).toEqual([{ issue: null }])
    await expectCountsToAgree()
  })

  test('for a merge: later messages of both kinds join the merged insight', async () => {
    await corrected.apply(csv, { kind: 'merge', into: mail })
    const before = await corrected.mentions(mail)
    await live()
    expect(await corrected.mentions(mail)).toEqual(expect.arrayContaining(before))
    for (const id of ['m80', 'm81', 'm120', 'm121', 'm160', 'm161']) expect(await corrected.issueOf(id)).toBe(mail)
    await expectCountsToAgree()
  })

  test('for a lock: only new messages change the insight', async () => {
    await corrected.apply(csv, { kind: 'lock', locked: true })
    const [before, name] = [await corrected.mentions(csv), await corrected.nameOf(csv)]
    await live()
    expect(await corrected.mentions(csv)).toEqual(expect.arrayContaining(before))
    expect(await corrected.nameOf(csv)).toBe(name)
    expect((await corrected.request(csv, { kind: 'lock', locked: true })).status).toBe(409)
  })

  test('when the message is edited, and when the same message is read again', async () => {
    const [moved, rejected] = [await corrected.mentionOf('m0'), await corrected.mentionOf('m4')]
    await corrected.apply(csv, { kind: 'move', mentions: [moved], to: mail })
    await corrected.apply(csv, { kind: 'reject', mentions: [rejected] })
    await edit(['m0', 'm4'], 'CSV export stops after the first thousand rows, I say')
    await corrected.group()
    await live()
    await world.store(corrected.workspace, messages(8))
    await corrected.group()
    expect(await corrected.issueOf('m0')).toBe(mail)
    expect(await corrected.issueOf('m4')).not.toBe(csv)
    const { rows } = await world.inside(corrected.workspace, (tx) =>
      sql`select decided_by from statement where item_id || ':' || number = ${moved}`.execute(tx),
    )
    expect(rows).toEqual([{ decided_by: 'person' }])
    await expectCountsToAgree()
  })

  test('when every message of a pinned insight is edited at the same time', async () => {
    const mentions = (await corrected.mentions(csv)).slice(0, 2)
    const { other } = await corrected.apply(csv, { kind: 'split', mentions })
    const { rows } = await world.inside(corrected.workspace, (tx) =>
      sql<{ id: string }>`select external_id as id from feedback_item
        where id::text = any(${mentions.map((id) => id.split(':')[0])}::text[])`.execute(tx),
    )
    await edit(
      rows.map((row) => row.id),
      'Something else altogether',
    )
    await corrected.group()
    expect((await corrected.mentions(Number(other))).sort()).toEqual(mentions.sort())
  })

  test('for a message only as long as it exists in its source', async () => {
    await corrected.apply(csv, { kind: 'move', mentions: [await corrected.mentionOf('m0')], to: mail })
    await world.inside(corrected.workspace, async (tx) => {
      const { rows } = await sql<{ id: string }>`select id from connection`.execute(tx)
      await deleteItems(tx, corrected.workspace, String(rows[0]?.id), ['m0'])
    })
    await corrected.group()
    const { rows } = await world.inside(corrected.workspace, (tx) =>
      sql`select (select count(*)::int from statement_rule) + (select count(*)::int from correction_statement) as left`.execute(
        tx,
      ),
    )
    expect(rows).toEqual([{ left: 0 }])
    await expectCountsToAgree()
  })
})

describe('is refused', () => {
  test('when it changes nothing, or names something that does not exist', async () => {
    const [first = '', ...rest] = await corrected.mentions(csv)
    const [theirs = ''] = await corrected.mentions(mail)
    expect((await corrected.request(csv, { kind: 'merge', into: csv })).status).toBe(409)
    expect((await corrected.request(csv, { kind: 'merge', into: 999 })).status).toBe(409)
    expect((await corrected.request(999, { kind: 'merge', into: csv })).status).toBe(404)
    expect((await corrected.request(csv, { kind: 'move', mentions: [theirs], to: mail })).status).toBe(409)
    expect((await corrected.request(csv, { kind: 'reject', mentions: ['999999:0'] })).status).toBe(409)
    expect(await corrected.request(csv, { kind: 'split', mentions: [first, ...rest] })).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', fields: { 'body.mentions': expect.anything() } },
    })
    expect((await corrected.request(csv, { kind: 'split', mentions: ['1:00'] })).status).toBe(400)
    expect((await corrected.request(csv, { kind: 'lock', locked: false })).status).toBe(409)
    expect(await corrected.corrections(csv)).toEqual([])
  })

  test('for a deleted insight, and when merging into one', async () => {
    await world.call(corrected.workspace, 'DELETE', `/api/insights/${mail}`)
    expect((await corrected.request(csv, { kind: 'merge', into: mail })).status).toBe(409)
    expect((await corrected.request(mail, { kind: 'lock', locked: true })).status).toBe(404)
    const [first = ''] = await corrected.mentions(csv)
    expect((await corrected.request(csv, { kind: 'move', mentions: [first], to: mail })).status).toBe(409)
  })

  test('with a reason, when an earlier one in the queue made it impossible', async () => {
    const [one, two] = [
      await corrected.request(csv, { kind: 'merge', into: mail }),
      await corrected.request(mail, { kind: 'merge', into: csv }),
    ]
    await corrected.group()
    expect(await corrected.correction(one.body.correction_id)).toMatchObject({ state: 'applied' })
    expect(await corrected.correction(two.body.correction_id)).toMatchObject({
      state: 'refused',
      problem: 'Both are already one insight',
      can_undo: false,
    })
  })

  test('with a reason, when an insight that it names was deleted before it was applied', async () => {
    const { body } = await corrected.request(csv, { kind: 'merge', into: mail })
    await world.call(corrected.workspace, 'DELETE', `/api/insights/${mail}`)
    await corrected.group()
    const problem = `Insight #${mail} no longer exists`
    expect(await corrected.correction(body.correction_id)).toMatchObject({ state: 'refused', problem })
    expect(await corrected.issueOf('m0')).toBe(csv)
  })

  test('for another workspace', async () => {
    const { correction_id: id } = await corrected.apply(csv, { kind: 'lock', locked: true })
    const other = await CorrectedWorkspace.create(world, 40)
    expect((await other.undo(id)).status).toBe(404)
    expect((await world.call(other.workspace, 'GET', `/api/corrections/${id}`)).status).toBe(404)
    const [mention = ''] = await corrected.mentions(csv)
    expect(
      (await other.request(Number(await other.issueOf('m0')), { kind: 'reject', mentions: [mention] })).status,
    ).toBe(409)
  })
})

describe('is applied exactly once', () => {
  test('by one of several processes that work at the same time', async () => {
    const picks = (await corrected.mentions(csv)).slice(0, 4)
    const others = [world.otherProcess(), world.otherProcess()]
    await corrected.request(csv, { kind: 'split', mentions: picks })
    await corrected.request(csv, { kind: 'lock', locked: true })
    await world.store(corrected.workspace, messages(60, 80))
    await Promise.all([corrected.group(), ...others.map((process) => corrected.group(process))])
    expect((await corrected.corrections(csv)).map(({ state }) => state)).toEqual(['applied', 'applied'])
    const { rows } = await world.inside(corrected.workspace, (tx) =>
      sql`select event, count(*)::int as count from insight_event where event in ('split_off', 'locked') group by 1 order by 1`.execute(
        tx,
      ),
    )
    expect(rows).toEqual([
      { event: 'locked', count: 1 },
      { event: 'split_off', count: 1 },
    ])
    await expectCountsToAgree()
    for (const process of others) await forgetGroups(process)
  })

  test('or not at all: a failed step leaves nothing behind, and the next one applies it', async () => {
    const last = await corrected.lastNumber()
    const { body } = await corrected.request(csv, { kind: 'merge', into: mail })
    const before = await corrected.hash(last)
    const failing = { changed: () => Promise.reject(new Error('no')) }
    await expect(groupWorkspace(world.services, corrected.workspace, failing, { settle: true })).rejects.toThrow('no')
    expect(await corrected.hash(last)).toBe(before)
    expect(await corrected.correction(body.correction_id)).toMatchObject({ state: 'waiting' })
    await corrected.group()
    expect(await corrected.correction(body.correction_id)).toMatchObject({ state: 'applied' })
  })
})
