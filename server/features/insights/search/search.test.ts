import type { searchFeedback } from '@groundswell/contract/feedback/feedback-search.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { discardStalePlans } from '../../../platform/db/stale-plans.ts'
import { fillSearches } from '../../feedback/index.ts'
import { corrected, useFreshWorkspaces, world } from '../corrections/fresh-workspace.ts'

useFreshWorkspaces()

type Page = ReplyOf<typeof searchFeedback>

const at = (minute: number) => new Date(Date.UTC(2027, 2, 1, 0, minute))
let workspace: string

beforeEach(() => {
  workspace = corrected.workspace
})

const say = (texts: readonly string[], of = workspace, prefix = 'said') =>
  world.store(
    of,
    texts.map((text, n) => ({ id: `${prefix}${n}`, text, author: `stranger ${n}`, at: at(n) })),
  )
const ask = (query: Record<string, string>, of = workspace) =>
  world.call(of, 'GET', `/api/feedback/search?${new URLSearchParams(query).toString()}`)
const search = async (words: string, more: Record<string, string> = {}, of = workspace) =>
  (await ask({ ...(words ? { words } : {}), ...more }, of)).body as Page
const found = async (words: string, more: Record<string, string> = {}, of = workspace) =>
  (await search(words, more, of)).mentions.map(({ message }) => message)

test('every word must occur, in any case, the last one unfinished, newest first', async () => {
  await say(['The zebra crossing is late', 'LATE: no Zebra at all, übrigens', 'a zebrafish', 'nothing'])
  expect(await found('zebra late')).toEqual(['LATE: no Zebra at all, übrigens', 'The zebra crossing is late'])
  expect(await found('zeb')).toEqual(['a zebrafish', 'LATE: no Zebra at all, übrigens', 'The zebra crossing is late'])
  expect(await found('zeb late')).toEqual([])
  expect(await found('late zebra nothing')).toEqual([])
  expect(await found('Übrig')).toEqual(['LATE: no Zebra at all, übrigens'])
  expect(await found('zebra, LATE!')).toHaveLength(2)
})

test('a message without a date says that its date is not known', async () => {
  await world.store(workspace, [
    { id: 'dated', text: 'an okapi on the stairs', author: 'stranger', at: at(1) },
    { id: 'undated', text: 'an okapi at the door', author: 'stranger', at: at(2), dateKnown: false },
  ])
  const { mentions } = await search('okapi')
  expect(mentions.map(({ date, date_known }) => [date, date_known])).toEqual([
    [at(2).toISOString(), false],
    [at(1).toISOString(), undefined],
  ])
})

test('quoted words occur together, and are whole', async () => {
  await say(['the quokka payout is late', 'the payout of a quokka', "Ann's mail quokka-9@example.com"])
  expect(await found('"quokka  payout"')).toEqual(['the quokka payout is late'])
  expect(await found('"quokka pay"')).toEqual([])
  expect(await found('"quokka payout" la')).toEqual(['the quokka payout is late'])
  expect(await found('"" quokka')).toHaveLength(3)
  expect(await found('"quokka payout')).toHaveLength(2)
  expect(await found('quokka-9@exam')).toHaveLength(1)
  expect(await found("Ann's quokka")).toHaveLength(1)
})

test('whatever is typed is only words', async () => {
  await say(["axolotl & 'b' | !c:* \\ <-> %_ -- ;"])
  const typed = ["axolotl'", "'axolotl' & b:*", 'axolotl | ("', '\\axolotl\\', 'axolotl%', "axolotl'; drop table x --"]
  for (const words of typed) expect((await ask({ words })).status).toBe(200)
  expect(await found("axolotl' :* b")).toHaveLength(1)
  for (const words of ['%', '"', '!!!', '🙂', ':*', "''"]) {
    expect(await ask({ words })).toMatchObject({ status: 200 })
  }
  expect(await found('%')).toEqual([])
  expect(await found('x'.repeat(200))).toEqual([])
  expect((await ask({ words: '\0' })).status).toBe(400)
  expect((await ask({ words: 'x'.repeat(201) })).status).toBe(400)
  expect((await ask({ cursor: 'x' })).status).toBe(400)
  for (const [ms, status] of [
    [8.64e15, 200],
    [-8.64e15, 400],
  ] as const) {
    const cursor = Buffer.from(JSON.stringify([ms, Number.MAX_SAFE_INTEGER, 0])).toString('base64url')
    expect((await ask({ cursor })).status).toBe(status)
  }
  expect((await ask({ from: '2027-03-02T00:00:00Z', to: '2027-03-01T00:00:00Z' })).status).toBe(400)
})

test('a message names the insights it is in, and is shown by the statement that fits', async () => {
  const number = Number(await corrected.issueOf('m0'))
  const text = (
    await world.inside(workspace, (tx) =>
      sql<{ text: string }>`select text from feedback_item where external_id = 'm0'`.execute(tx),
    )
  ).rows[0]?.text
  const { mentions } = await search(`"${text}"`)
  expect(mentions[0]).toMatchObject({
    message: text,
    insights: [{ issue_number: number, issue_name: expect.any(String) }],
  })
  await say(['A gecko waits'])
  const [waiting] = (await search('gecko')).mentions
  expect(waiting).toMatchObject({ text: 'A gecko waits', author: 'stranger 0', source: 'file', insights: [] })
  expect(waiting?.id).toBeUndefined()
})

test('is paged, with each message once, with and without words', async () => {
  await say(Array.from({ length: 7 }, (_, n) => `heron ${n}`))
  for (const words of ['heron', '']) {
    const seen: (string | undefined)[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Page = await search(words, { limit: '3', ...(cursor ? { cursor } : {}) })
      expect(page.total).toBe(cursor ? null : words ? 7 : 87)
      seen.push(...page.mentions.map(({ message }) => message))
      cursor = page.next_cursor
    }
    expect(seen).toEqual(await found(words, { limit: '200' }))
    expect(seen).toHaveLength(words ? 7 : 87)
  }
})

test('is filtered by source, time and kind', async () => {
  await say(['ibis one', 'ibis two', 'ibis three'])
  expect(await found('ibis', { source: 'file' })).toHaveLength(3)
  expect(await found('ibis', { source: 'slack' })).toEqual([])
  expect(await search('ibis', { source: 'slack' })).toMatchObject({ total: 0, next_cursor: null })
  const span = { from: at(1).toISOString(), to: at(2).toISOString() }
  expect(await found('ibis', span)).toEqual(['ibis two'])
  expect(await found('', span)).toEqual(['ibis two'])
  await corrected.group()
  await world.inside(workspace, (tx) =>
    sql`update statement set feedback_kind = case when item_id % 2 = 0 then 'praise' else 'request' end
      where item_id in (select id from feedback_item where text like 'ibis%')`.execute(tx),
  )
  const [praise, request] = [await search('ibis', { kind: 'praise' }), await search('ibis', { kind: 'request' })]
  expect(praise.mentions.length + request.mentions.length).toBe(3)
  for (const { kind } of praise.mentions) expect(kind).toBe('praise')
  expect(praise.total).toBe(praise.mentions.length)
})

test('edited, deleted and moved messages are found as they are', async () => {
  await say(['a toucan', 'two toucans'])
  await say(['a pelican'])
  expect(await found('toucan')).toEqual(['two toucans'])
  expect(await found('pelican')).toEqual(['a pelican'])
  await world.inside(workspace, (tx) => sql`delete from feedback_item where text = 'a pelican'`.execute(tx))
  expect(await found('pelican')).toEqual([])
  await world.inside(workspace, (tx) => sql`delete from connection`.execute(tx))
  expect(await found('toucan')).toEqual([])
  const { rows } = await world.inside(workspace, (tx) => sql`select from feedback_search`.execute(tx))
  expect(rows).toEqual([])
})

test('another workspace finds nothing of it, also by the function of the owner', async () => {
  await say(['the secret okapi'])
  const other = await world.workspace()
  await say(['an okapi of ours'], other)
  expect(await found('okapi')).toEqual(['the secret okapi'])
  expect(await found('okapi', {}, other)).toEqual(['an okapi of ours'])
  const direct = (of: string, asked: string) =>
    world.inside(of, async (tx) => {
      const { rows } = await sql<{ itemId: number }>`
        select item_id as "itemId" from feedback_with_words(search_query(${asked}::uuid, 'okapi', ''), null, null, 10)`.execute(
        tx,
      )
      return rows.length
    })
  expect(await direct(workspace, workspace)).toBe(1)
  expect(await direct(other, workspace)).toBe(0)
})

test('words of more messages than are counted are found by reading from the newest, with filters too', async () => {
  await world.inside(workspace, async (tx) => {
    await sql`
      insert into feedback_item (workspace_id, connection_id, external_id, text, said_at, grouped_seq)
      select workspace_id, connection_id, 'copy' || n, 'a common ' || case when n = 3 then 'lynx' else 'filler' end || ' ' || n,
        said_at + n * interval '1 second', grouped_seq
      from feedback_item, generate_series(1, 20100) n where external_id = 'm0'`.execute(tx)
    await discardStalePlans(tx, 20_100)
  })
  const first = await search('common')
  expect(first).toMatchObject({ total: 10_000, mentions: { length: 50 } })
  expect(first.mentions[0]?.message).toBe('a common filler 20100')
  const second = await search('common', { cursor: String(first.next_cursor) })
  expect(second).toMatchObject({ total: null, mentions: { length: 50 } })
  expect(second.mentions[0]?.message).toBe('a common filler 20050')
  expect(await search('common lynx')).toMatchObject({ total: 1, next_cursor: null, mentions: { length: 1 } })
  const far = await search('common', { kind: 'praise' })
  expect(far).toMatchObject({ total: null, mentions: [] })
  expect(await search('common', { kind: 'praise', cursor: String(far.next_cursor) })).toMatchObject({
    mentions: [],
    next_cursor: null,
  })
  expect(await search('"common lynx"')).toMatchObject({ total: 1, mentions: { length: 1 } })
  expect(await search('')).toMatchObject({ total: 10_000, mentions: { length: 50 } })
})

test('messages from before the update are filled in, without what was deleted, and newer ones are kept', async () => {
  await say(['a marten', 'two martens', 'three martens'])
  await world.inside(workspace, async (tx) => {
    await sql`delete from feedback_search`.execute(tx)
    await sql`insert into search_fill (workspace_id) values (${workspace})`.execute(tx)
  })
  await say(['an edited marten'])
  expect(await search('marten')).toMatchObject({ complete: false, mentions: { length: 1 } })
  expect((await fillSearches(world.services, undefined, 20)).failed).toEqual([])
  expect(await search('marten')).toMatchObject({ complete: true, total: 3 })
  expect(await found('marten', { limit: '1' })).toEqual(['three martens'])
  expect(await found('edited marten')).toEqual(['an edited marten'])
  expect((await search('')).total).toBe(83)
})
