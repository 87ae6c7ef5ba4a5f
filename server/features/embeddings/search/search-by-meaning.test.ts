import type { searchFeedback } from '@groundswell/contract/feedback/feedback-search.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { duringTests } from '../../../platform/testing.ts'
import { encodeAll, messages, World } from '../testing.ts'

type Page = ReplyOf<typeof searchFeedback>

let workspace: string
const world = duringTests(() => World.start(undefined, { encoder: {} }))
beforeEach(async () => {
  workspace = await world.workspace()
})

async function understand(of = workspace): Promise<void> {
  await world.group(of)
  await encodeAll(world.services, of)
  await world.group(of)
}
const ask = (words: string, more: Record<string, string> = {}, in_ = world, of = workspace) =>
  in_.call<Page>(of, 'GET', `/api/feedback/search?${new URLSearchParams({ words, by: 'meaning', ...more }).toString()}`)
const search = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).body

test('a search without a shared word finds the nearest insights and their feedback, and says why', async () => {
  await world.store(workspace, messages(40))
  await understand()
  const page = await search('spreadsheet download incomplete')
  expect(page).toMatchObject({ meaning: 'used', complete: true, next_cursor: null })
  expect(page.mentions[0]).toMatchObject({ found_by: 'meaning', text: expect.stringContaining('CSV export') })
  expect(page.total).toBe(page.mentions.length)
  const [near] = page.near ?? []
  expect(near?.issue_number).toBe(page.mentions[0]?.insights[0]?.issue_number)
  expect((await search('spreadsheet download incomplete', { by: 'words' })).mentions).toEqual([])
})

test('messages with every word come first where their meaning fits, also those that are not grouped yet', async () => {
  await world.store(workspace, messages(40))
  await understand()
  await world.store(workspace, [{ id: 'late', text: 'A quokka ate the CSV' }])
  const words = await search('CSV export')
  expect(words.mentions[0]).toMatchObject({ found_by: 'words', text: expect.stringContaining('CSV export') })
  expect((await search('quokka')).mentions).toMatchObject([{ found_by: 'words', text: 'A quokka ate the CSV' }])
  expect((await search('')).meaning).toBeUndefined()
})

test('pages have each message once, in the same order, although messages arrive between them', async () => {
  await world.store(workspace, messages(60))
  await understand()
  const whole = (await search('spreadsheet download incomplete', { limit: '200' })).mentions.map(({ id }) => id)
  expect(whole.length).toBeGreaterThan(12)
  const seen: (string | undefined)[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Page = await search('spreadsheet download incomplete', { limit: '5', ...(cursor ? { cursor } : {}) })
    expect(page.total === null).toBe(cursor !== '')
    seen.push(...page.mentions.map(({ id }) => id))
    cursor = page.next_cursor
    if (seen.length === 5) await world.store(workspace, [{ id: 'between', text: 'the spreadsheet download' }])
  }
  expect(seen).toEqual(whole)
  expect((await ask('CSV', { cursor: 'mx' })).status).toBe(400)
  expect((await ask('CSV', { cursor: 'mx', by: 'words' })).status).toBe(400)
})

test('every filter applies to what is found by meaning', async () => {
  await world.store(workspace, messages(40))
  await understand()
  const words = 'spreadsheet download incomplete'
  const all = (await search(words)).mentions.length
  expect((await search(words, { source: 'file' })).mentions).toHaveLength(all)
  const none: Record<string, string>[] = [
    { source: 'slack' },
    { to: '2026-01-01T00:00:00Z' },
    { from: '2026-12-01T00:00:00Z' },
    { customer: crypto.randomUUID() },
    { kind: 'praise' },
  ]
  for (const filter of none) {
    expect(await search(words, filter)).toMatchObject({ total: 0, mentions: [], meaning: 'used' })
  }
  expect((await ask(words, { from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' })).status).toBe(400)
  await world.inside(workspace, (tx) => sql`update statement set feedback_kind = 'praise' where number = 0`.execute(tx))
  expect((await search(words, { kind: 'praise' })).total).toBeGreaterThan(0)
  expect((await search(`"CSV export" download`)).mentions.every(({ text }) => text.includes('CSV export'))).toBe(true)
})

test('an insight is compared as it is after its feedback changed, and one that was deleted is not', async () => {
  await world.store(workspace, messages(40))
  await understand()
  const words = 'spreadsheet download incomplete'
  const issue = (await search(words)).near?.[0]?.issue_number
  await world.inside(workspace, (tx) =>
    sql`update insight set deleted_at = now() where issue_number = ${issue}`.execute(tx),
  )
  const after = await search(words)
  expect(after.near?.map(({ issue_number }) => issue_number)).not.toContain(issue)
  await world.inside(workspace, (tx) => sql`update insight set deleted_at = null`.execute(tx))
  expect((await search(words)).near?.[0]?.issue_number).toBe(issue)
})

test('another workspace is neither found nor compared', async () => {
  await world.store(workspace, messages(40))
  await understand()
  const other = await world.workspace()
  expect(await search('spreadsheet download incomplete', {}, world, other)).toMatchObject({
    mentions: [],
    near: [],
    total: 0,
  })
})

test('without an encoder the search is by words, newest first, and says so', async () => {
  await world.store(workspace, messages(40))
  const off = await world.restarted(undefined, { encoder: undefined })
  expect(await search('CSV export', { limit: '3' }, off)).toMatchObject({
    meaning: 'off',
    total: 10,
    mentions: { length: 3 },
  })
  const missing = await world.restarted(undefined, { encoder: { folder: '/nowhere' } })
  const first = await search('CSV export', { limit: '6' }, missing)
  expect(first).toMatchObject({ meaning: 'unavailable', total: 10 })
  expect(first.mentions[0]?.found_by).toBeUndefined()
  const next = await search('CSV export', { limit: '6', cursor: String(first.next_cursor) })
  expect(next.mentions).toHaveLength(4)
  const ranked = await search('CSV export', { limit: '6' })
  expect(await ask('CSV export', { limit: '6', cursor: String(ranked.next_cursor) }, missing)).toMatchObject({
    status: 503,
    body: { code: 'not_ready' },
  })
  await off.stop()
  await missing.stop()
})
