import { InsightDetail } from '@groundswell/contract/insights/insight-detail.ts'
import type { Mention } from '@groundswell/contract/insights.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { discardStalePlans } from '../../../platform/db/stale-plans.ts'
import { runAsOwner } from '../../../platform/db/testing.ts'
import { corrected, csv, mail, useFreshWorkspaces, world } from '../corrections/fresh-workspace.ts'
import { CorrectedWorkspace, messages } from '../corrections/testing.ts'

useFreshWorkspaces()

const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 0, minute))
/** Two of these have the same meaning but share no words. */
const LATE = 'My landlord does not accept "processing" as an answer'
const SLOW = 'Nine days for a payout? I had to borrow from my sister'
const ALONE = ['Is there a map of your offices', 'Thanks!', LATE, 'Zebra stripes on the logo look odd', SLOW]

beforeEach(async () => {
  await world.store(
    corrected.workspace,
    ALONE.map((text, n) => ({ id: `alone${n}`, text, author: `stranger ${n}`, at: at(n) })),
  )
  await corrected.group()
})

type Page = { mentions: Required<Mention>[]; total: number | null; next_cursor: string | null }
const ungrouped = async (query = '', workspace = corrected.workspace) =>
  (await world.call(workspace, 'GET', `/api/ungrouped${query}`)).body as Page
const texts = async (query = '') => (await ungrouped(query)).mentions.map(({ text }) => text)

type Made = { correction_id: string; state: string; changes: unknown[]; code: string }
const create = async (mentions: string[], workspace = corrected.workspace) => {
  const { status, body } = await world.call(workspace, 'POST', '/api/insights', {}, { mentions })
  return { status, body: body as Made }
}
const created = async (mentions: string[]) => {
  const { body } = await create(mentions)
  await corrected.group()
  return corrected.correction(body.correction_id)
}
const late = async () => [await corrected.mentionOf('alone2'), await corrected.mentionOf('alone4')]

describe('the list of mentions that are in no insight', () => {
  test('has the newest first, with whole messages, and courtesies only on request', async () => {
    const page = await ungrouped()
    expect(page).toMatchObject({ total: 4, next_cursor: null })
    expect(page.mentions.map(({ text }) => text)).toEqual([SLOW, ALONE[3], LATE, ALONE[0]])
    expect(page.mentions[0]).toMatchObject({ author: 'stranger 4', message: SLOW, date: at(4).toISOString() })
    expect(await texts('?courtesies=true')).toContain('Thanks!')
  })

  test('is searched for all of the words, ignoring case, in the whole message', async () => {
    expect(await texts('?words=PAYOUT%20nine')).toEqual([SLOW])
    expect(await texts('?words=payout%20zebra')).toEqual([])
    expect(await texts('?words=%25')).toEqual([])
    expect((await ungrouped('?words=zebra')).total).toBe(4)
  })

  test('is searched whatever the form of a letter, and for what is quoted', async () => {
    const others = ['Das Büro heißt GROẞ: café', 'クラウドの請求書が空白です', 'Is C++ the gross net?']
    await world.store(
      corrected.workspace,
      others.map((text, n) => ({ id: `other${n}`, text, author: `other ${n}`, at: at(10 + n) })),
    )
    await corrected.group()
    const search = (words: string) => texts(`?${new URLSearchParams({ words }).toString()}`)
    expect(await search('gross')).toEqual([others[2], others[0]])
    expect(await search('ｃａｆｅ buro')).toEqual([others[0]])
    expect(await search('空白')).toEqual([others[1]])
    expect(await search('c++')).toEqual([others[2]])
    expect(await search('"groß"')).toEqual([others[0]])
    expect(await search('"buro"')).toEqual([])
    expect(await search('"the gross"')).toEqual([others[2]])
    expect(await search('"he gross"')).toEqual([])
  })

  test('is paged, with each mention once', async () => {
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page = await ungrouped(`?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`)
      expect(page.total).toBe(cursor === '' ? 4 : null)
      seen.push(...page.mentions.map(({ id }) => id))
      cursor = page.next_cursor
    }
    expect(seen).toEqual((await ungrouped()).mentions.map(({ id }) => id))
    const refused = await world.call(corrected.workspace, 'GET', '/api/ungrouped?cursor=x')
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  })

  test('a search reaches all of it, however long it is', async () => {
    await world.inside(corrected.workspace, async (tx) => {
      await sql`
        insert into feedback_item (workspace_id, connection_id, external_id, text, said_at, grouped_seq)
        select workspace_id, connection_id, 'copy' || n, 'filler ' || n, said_at + n * interval '1 second', grouped_seq
        from feedback_item, generate_series(1, 20100) n where external_id = 'alone4'`.execute(tx)
      await discardStalePlans(tx, 20_100)
      await sql`
        insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, score, reason, said_at)
        select workspace_id, id, 0, 0, length(text), 'pending', 0, 'nothing like it', said_at from feedback_item
        where external_id like 'copy%'`.execute(tx)
    })
    // As autovacuum leaves it during an import: the planner has statistics of only one of the two tables.
    await runAsOwner(world.services.config.databaseUrl as string, 'analyze statement')
    expect((await ungrouped()).total).toBe(10_000)
    const first = await ungrouped('?words=landlord')
    expect(first).toMatchObject({ mentions: [] })
    const second = await ungrouped(`?words=landlord&cursor=${first.next_cursor}`)
    expect(second.mentions.map(({ text }) => text)).toEqual([LATE])
    expect(second.next_cursor).toBeNull()
    expect((await ungrouped('?words=filler&limit=3')).mentions).toHaveLength(3)
  })

  test('is ordered by similarity to the picked mentions', async () => {
    await world.store(
      corrected.workspace,
      [
        'The money for my sales reaches the bank far too late',
        'A giraffe on the cover of the handbook',
        'When will my bank receive the earnings of last week',
      ].map((text, n) => ({ id: `more${n}`, text, author: `more ${n}`, at: at(20 + n) })),
    )
    await corrected.group()
    const like = await corrected.mentionOf('alone4')
    const found = await ungrouped(`?like=${like}&limit=3`)
    expect(found).toMatchObject({ total: 7, next_cursor: null })
    expect(found.mentions).toHaveLength(3)
    expect(found.mentions.map(({ id }) => id)).not.toContain(like)
    expect(found.mentions[0]?.text).toMatch(/bank/)
    expect(await texts(`?like=${like},${await corrected.mentionOf('more0')}&words=bank&limit=1`)).toEqual([
      'When will my bank receive the earnings of last week',
    ])
    const of = await corrected.mentionOf('m0')
    expect((await ungrouped(`?like=${of}`)).mentions).toHaveLength(7)
    const refused = await world.call(corrected.workspace, 'GET', `/api/ungrouped?like=${like}&cursor=WzEsMSwxXQ`)
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    expect((await world.call(corrected.workspace, 'GET', '/api/ungrouped?like=x')).status).toBe(400)
    expect(await texts('?like=999999:0&limit=1')).toHaveLength(1)
  })

  test('cannot be seen or used by another workspace', async () => {
    const other = await CorrectedWorkspace.create(world, 40)
    const { mentions } = await ungrouped('', other.workspace)
    expect(mentions.map(({ text }) => text)).not.toContain(LATE)
    expect(await create(await late(), other.workspace)).toMatchObject({ status: 409 })
    const into = Number(await other.issueOf('m0'))
    expect((await other.request(into, { kind: 'add', mentions: await late() })).status).toBe(409)
  })
})

describe('a person makes an insight of ungrouped mentions', () => {
  test('which is shown with a number, a name and its history, and stays', async () => {
    const mentions = await late()
    const { body } = await create(mentions)
    const change = { issue_number: null, name: null, mentions_before: 0, mentions_after: 2, people_after: 2 }
    expect(body).toMatchObject({ state: 'waiting', changes: [{ ...change, becomes: 'new' }] })
    expect(await corrected.correction(body.correction_id)).toMatchObject({
      issue_number: null,
      kind: 'create',
      state: 'waiting',
    })
    await corrected.group()
    const made = await corrected.correction(body.correction_id)
    expect(made).toMatchObject({ state: 'applied', issue_number: expect.any(Number), mentions: 2, can_undo: true })
    const number = Number(made.issue_number)
    expect(made.changes).toMatchObject([{ issue_number: number, name: expect.stringMatching(/\w/), becomes: 'new' }])
    expect((await corrected.mentions(number)).sort()).toEqual([...mentions].sort())
    expect(await texts()).toEqual([ALONE[3], ALONE[0]])
    const detail = (await world.call(corrected.workspace, 'GET', `/api/insights/${number}/detail`)).body
    expect(InsightDetail.parse(detail).history).toContainEqual({
      at: expect.anything(),
      event: 'moved_in',
      count: 2,
      by: 'A',
    })
    expect((await corrected.corrections(number)).map(({ kind }) => kind)).toEqual(['create'])
    expect((await corrected.why(number, String(mentions[0]))).body).toMatchObject({
      decided_by: 'person',
      person: 'A',
      rule: 'A made this insight of it and others.',
    })
    await world.store(corrected.workspace, messages(60, 80))
    await corrected.group()
    expect((await corrected.mentions(number)).sort()).toEqual([...mentions].sort())
  })

  test('which later similar messages join', async () => {
    const { issue_number: number } = await created(await late())
    await world.store(corrected.workspace, [
      { id: 'later', text: 'Ten days for a payout! I had to borrow from my sister again', author: 'x', at: at(9) },
    ])
    await corrected.group()
    expect(await corrected.issueOf('later')).toBe(number)
  })

  test('and undoes that: everything is as before', async () => {
    const last = await corrected.lastNumber()
    const before = await corrected.hash(last)
    const made = await created(await late())
    expect((await corrected.undo(made.correction_id)).body).toMatchObject({ state: 'waiting' })
    await corrected.group()
    expect(await corrected.correction(made.correction_id)).toMatchObject({ state: 'undone', undone_by: 'A' })
    expect(await corrected.hash(last)).toBe(before)
    expect((await ungrouped()).total).toBe(4)
    expect((await corrected.list()).map(({ issue_number }) => issue_number)).not.toContain(made.issue_number)
  })

  test('and undoes that before it was applied', async () => {
    const { body } = await create(await late())
    expect((await corrected.undo(body.correction_id)).body).toMatchObject({ state: 'undone' })
    await corrected.group()
    expect(await corrected.correction(body.correction_id)).toMatchObject({ state: 'undone', issue_number: null })
    expect((await ungrouped()).total).toBe(4)
  })

  test('also of mentions that were classified as courtesies', async () => {
    const { issue_number: number } = await created([
      await corrected.mentionOf('alone1'),
      await corrected.mentionOf('alone3'),
    ])
    expect(await corrected.issueOf('alone1')).toBe(number)
  })

  test('twice at the same time: each gets its own number', async () => {
    const [one = '', two = ''] = await late()
    const [first, second] = [
      await create([one, await corrected.mentionOf('alone0')]),
      await create([two, await corrected.mentionOf('alone3')]),
    ]
    await corrected.group()
    const numbers = await Promise.all(
      [first, second].map(async ({ body }) => (await corrected.correction(body.correction_id)).issue_number),
    )
    expect(new Set(numbers)).toHaveLength(2)
    for (const number of numbers) expect(await corrected.mentions(Number(number))).toHaveLength(2)
  })

  test('but not of one message, of mentions that are in an insight, or of missing ones', async () => {
    const [one = '', two = ''] = await late()
    expect(await create([one])).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    expect(await create([one, one])).toMatchObject({ status: 400 })
    expect(await create([one, await corrected.mentionOf('m0')])).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    expect(await create([one, '999999:0'])).toMatchObject({ status: 409 })
    expect(await create([])).toMatchObject({ status: 400 })
    await created([one, two])
    expect(await create([one, two])).toMatchObject({ status: 409 })
  })
})

describe('a person adds ungrouped mentions to an insight', () => {
  test('as the preview says, and undoes that', async () => {
    const mentions = await late()
    const request = { kind: 'add', mentions } as const
    const was = await corrected.mentions(csv)
    const { body: preview } = await corrected.preview(csv, request)
    expect(preview.changes).toMatchObject([
      { issue_number: csv, mentions_before: was.length, mentions_after: was.length + 2, becomes: 'stays' },
    ])
    const before = await corrected.hash(await corrected.lastNumber())
    const made = await corrected.apply(csv, request)
    expect(made).toMatchObject({ state: 'applied', kind: 'add', issue_number: csv, other: null, mentions: 2 })
    expect(made.changes).toMatchObject(preview.changes)
    expect((await corrected.mentions(csv)).sort()).toEqual([...was, ...mentions].sort())
    await corrected.undo(made.correction_id)
    await corrected.group()
    expect(await corrected.hash(await corrected.lastNumber())).toBe(before)
  })

  test('even if the engine has moved them meanwhile, or the insight was merged', async () => {
    const mentions = await late()
    const { body } = await corrected.request(csv, { kind: 'add', mentions })
    await corrected.request(csv, { kind: 'merge', into: mail })
    const behind = await corrected.request(mail, { kind: 'add', mentions: [await corrected.mentionOf('alone3')] })
    await corrected.group()
    expect(await corrected.correction(body.correction_id)).toMatchObject({ state: 'applied' })
    expect(await corrected.correction(behind.body.correction_id)).toMatchObject({ state: 'applied' })
    for (const id of ['alone2', 'alone3', 'alone4', 'm0']) expect(await corrected.issueOf(id)).toBe(mail)
  })

  test('but not mentions that are in an insight', async () => {
    const [theirs = ''] = await corrected.mentions(mail)
    expect(await corrected.request(csv, { kind: 'add', mentions: [theirs] })).toMatchObject({ status: 409 })
    expect(await corrected.request(999, { kind: 'add', mentions: await late() })).toMatchObject({ status: 404 })
  })
})
