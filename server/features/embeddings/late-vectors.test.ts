import type { getOverview } from '@groundswell/contract/insights/overview.ts'
import type { getReading } from '@groundswell/contract/models/embeddings.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { classifyKind, isSubjectless } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { withCaches } from '../../platform/caches.ts'
import { duringTests } from '../../platform/testing.ts'
import { fileConnection } from '../connections/index.ts'
import { deleteItems } from '../feedback/index.ts'
import { vectorsStored } from '../insights/index.ts'
import { vectorSource } from './source.ts'
import { encodeAll, messages, type Said, World } from './testing.ts'

/** What people say about four subjects, each time in other words, so that only meaning connects them. */
const PARAPHRASES = {
  export: [
    'The CSV export stops after a thousand rows',
    'Downloading my spreadsheet gets cut off halfway',
    'When I save the table as a file, most lines are missing',
    'Exported reports are incomplete, the last records never make it',
    'The data download breaks off before the end',
    'Getting my records out as Excel only gives me the first part',
    'My downloaded file contains just a fraction of the rows',
    'Export to CSV is truncated for large tables',
  ],
  login: [
    'I cannot log in since this morning',
    'The sign-in page rejects my password',
    'My account is locked and I am unable to get in',
    'Logging in fails with an unknown error',
    'It says my credentials are wrong although they are correct',
    'Access denied whenever I try to sign in',
    'The login button does nothing, so I am locked out',
    'I keep getting thrown back to the login screen',
  ],
  dark: [
    'Please add a dark mode',
    'The white background hurts my eyes at night',
    'A night theme would be great',
    'I would love a darker colour scheme for the evening',
    'Everything is far too bright in the dark',
    'Could you offer a black theme',
    'The glaring screen is painful after sunset, give us dark colours',
    'Dark theme, please, my eyes hurt',
  ],
  invoice: [
    'The invoice shows the wrong tax number',
    'Our VAT ID on the bill is incorrect',
    'Billing documents list somebody else as the tax payer',
    'The tax on my receipt was calculated wrongly',
    'Invoices carry an outdated VAT number',
    'Accounting refuses your bills because the tax details are wrong',
    'Please correct the VAT ID that is printed on my invoices',
    'My receipts have a mistake in the tax field',
  ],
} as const

/** Messages `from` to `to` of each subject, the subjects in turn. */
function paraphrases(from: number, to: number): Said[] {
  return Array.from({ length: to - from }, (_, n) =>
    Object.entries(PARAPHRASES).map(([subject, texts]) => ({
      id: `${subject}${from + n}`,
      text: texts[from + n] as string,
      author: `person ${subject}${from + n}`,
    })),
  ).flat()
}

let workspace: string
const world = duringTests(() => World.start(undefined, { encoder: {} }))
beforeEach(async () => {
  workspace = await world.workspace()
})

/** Computes the missing vectors, as the background job does. */
async function encode(id = workspace): Promise<void> {
  const stored = vectorsStored(world.services, vectorSource(world.services))
  await encodeAll(world.services, id, stored)
}

type Row = { id: string; kind: string; issue: number | null }
async function groups(id = workspace): Promise<Row[]> {
  const { rows } = await world.inside(id, (tx) =>
    sql<Row>`
      select item.external_id as id, s.kind, s.issue_number as issue
      from statement s join feedback_item item on item.id = s.item_id order by item.id, s.number`.execute(tx),
  )
  return rows
}

async function count(what: string, id = workspace): Promise<number> {
  const { rows } = await world.inside(id, (tx) =>
    sql<{ n: number }>`select count(*)::int as n from ${sql.raw(what)}`.execute(tx),
  )
  return rows[0]?.n ?? 0
}

/** Groups in its own process, which ends without having saved anything. */
async function groupElsewhere(id: string): Promise<void> {
  const services = withCaches(world.services)
  await world.group(id, services)
  await services.caches.dispose()
}

const together = (rows: readonly Row[], prefix: string) => {
  const found = rows.filter((row) => row.id.startsWith(prefix)).map((row) => row.issue ?? 0)
  return Math.max(...[...new Set(found)].filter((n) => n > 0).map((n) => found.filter((one) => one === n).length), 0)
}

test('statements are grouped by words at once, and by meaning once their vectors are there', async () => {
  await world.store(workspace, paraphrases(0, 6))
  await world.group(workspace)
  expect((await groups()).filter((row) => row.issue !== null)).toEqual([])
  await encode()
  expect(await count('late_vector')).toBe(24)
  await world.group(workspace)
  expect(await count('late_vector')).toBe(0)
  const rows = await groups()
  for (const subject of ['login', 'invoice']) expect(together(rows, subject)).toBeGreaterThan(4)
  await world.store(workspace, paraphrases(6, 8))
  await world.group(workspace)
  await encode()
  await world.group(workspace)
  for (const subject of ['login', 'invoice']) expect(together(await groups(), subject)).toBeGreaterThan(6)
})

test('a process that loses its memory between any two steps ends with the same groups', async () => {
  const lossy = await world.workspace()
  for (let from = 0; from < 8; from += 2) {
    for (const id of [workspace, lossy]) await world.store(id, paraphrases(from, from + 2))
    await world.group(workspace)
    await groupElsewhere(lossy)
    for (const id of [workspace, lossy]) await encode(id)
    await groupElsewhere(lossy)
    await world.group(workspace)
    expect(await groups(lossy)).toEqual(await groups())
  }
})

test('vectors that a lost state had read are read again, also by another process', async () => {
  await world.store(workspace, paraphrases(0, 6))
  await world.group(workspace)
  await encode()
  await world.inside(workspace, (tx) => sql`delete from late_vector where item_id % 3 = 0`.execute(tx))
  await groupElsewhere(workspace)
  expect(together(await groups(), 'login')).toBeGreaterThan(4)
  const other = await world.workspace()
  await world.store(other, paraphrases(0, 6))
  await world.group(other)
  await encode(other)
  await world.group(other)
  const before = await groups(other)
  await groupElsewhere(other)
  expect(await groups(other)).toEqual(before)
})

test('vectors of edited and deleted messages are not attached, and new ones of the same message are', async () => {
  await world.store(workspace, paraphrases(0, 8))
  await world.group(workspace)
  await encode()
  await world.store(workspace, [{ id: 'login0', text: 'Please add a dark theme for the night' }])
  await world.inside(workspace, async (tx) => {
    await deleteItems(tx, workspace, (await fileConnection(tx, workspace)).id, ['login1'])
  })
  expect(await count('late_vector')).toBe(31)
  await world.group(workspace)
  await encode()
  expect(await count('late_vector')).toBe(1)
  await world.group(workspace)
  expect(await count('late_vector')).toBe(0)
  const rows = await groups()
  expect(together(rows, 'login')).toBeGreaterThan(3)
  const edited = rows.find((row) => row.id === 'login0')?.issue
  expect(
    edited === null
      ? 'login'
      : rows
          .filter((row) => row.issue === edited)
          .map((row) => row.id)
          .join(),
  ).not.toMatch(/login[2-7]/)
})

test('without the encoder words decide again, and a folder that cannot be read changes nothing', async () => {
  await world.store(workspace, paraphrases(0, 6))
  await world.group(workspace)
  await encode()
  await world.group(workspace)
  const before = await groups()
  const absent = await world.restarted(undefined, { encoder: { folder: '/absent' } })
  await absent.store(workspace, [{ id: 'new', text: 'A giraffe in the handbook' }])
  await absent.group(workspace)
  expect((await groups()).filter((row) => row.id !== 'new')).toEqual(before)
  await absent.stop()
  await world.group(workspace)
  expect((await groups()).filter((row) => row.id !== 'new')).toEqual(before)
  const off = await world.restarted(undefined, { encoder: undefined })
  await off.store(workspace, [{ id: 'more', text: 'Another giraffe in another handbook' }])
  await off.group(workspace)
  expect(together(await groups(), 'login')).toBeLessThan(3)
  await off.stop()
})

test('an update to another model keeps groups until its vectors are there, and insights keep their numbers', async () => {
  const former = await world.restarted(undefined, { encoder: { adapter: false } })
  await former.store(workspace, paraphrases(0, 6))
  await former.group(workspace)
  await encodeAll(former.services, workspace, vectorsStored(former.services, vectorSource(former.services)))
  await former.group(workspace)
  await former.stop()
  const before = await groups()
  const numbersOf = (rows: readonly Row[], subject: string) =>
    new Set(rows.flatMap(({ id, issue }) => (issue !== null && id.startsWith(subject) ? [issue] : [])))
  expect(together(before, 'login')).toBeGreaterThan(4)
  await world.store(workspace, [{ id: 'new', text: 'A giraffe in the handbook' }])
  await world.group(workspace)
  expect((await groups()).filter(({ id }) => id !== 'new')).toEqual(before)
  await encode()
  await world.group(workspace)
  const after = await groups()
  expect(together(after, 'login')).toBeGreaterThan(4)
  expect(numbersOf(after, 'login')).toEqual(numbersOf(before, 'login'))
  const { rows } = await world.inside(workspace, (tx) =>
    sql<{ space: string }>`select distinct space from statement_vector`.execute(tx),
  )
  expect(rows).toEqual([{ space: 'builtin/all-MiniLM-L6-v2-feedback' }])
})

test('a pass over many messages is shown while it is under way, and then what became of them', async () => {
  const get = async <T>(path: string) => (await world.call<T>(workspace, 'GET', path)).body
  const reading = () => get<ReplyOf<typeof getReading>>('/api/embeddings/reading')
  await world.store(workspace, [
    ...paraphrases(0, 8),
    ...messages(250),
    { id: 'thanks', text: 'Thanks!' },
    { id: 'de', text: 'Der Fahrstuhl in eurem Büro ist schon wieder kaputt' },
    { id: 'alone', text: 'A giraffe is on the cover of the handbook' },
  ])
  await world.group(workspace)
  expect(await reading()).toEqual({ reading: null, ended_at: null })
  const seen: unknown[] = []
  let isOver = false
  const encoded = encode().finally(() => (isOver = true))
  while (!isOver) seen.push((await reading()).reading)
  await encoded
  expect(seen).toContainEqual({ done: expect.toSatisfy((done) => done > 0 && done < 284), total: 284 })
  expect(await reading()).toEqual({ reading: null, ended_at: world.now.toISOString() })
  await world.group(workspace)
  const overview = await get<ReplyOf<typeof getOverview>>('/api/insights/overview')
  const { mentions, emerging_mentions, suggested, other_languages, alone, small_talk } = overview
  expect(mentions + emerging_mentions + suggested + other_languages + alone + small_talk).toBe(285)
  expect(overview).toMatchObject({ insights: expect.any(Number), other_languages: 1, small_talk: 1 })
  expect([mentions > 250, alone > 0]).toEqual([true, true])
  await world.store(workspace, messages(5, 300))
  await world.group(workspace)
  await encode()
  expect(await reading()).toEqual({ reading: null, ended_at: world.now.toISOString() })
})

test('kinds are decided by words at once and again by the vectors, unless a person set one', async () => {
  const praise = ['I love this app, it is great', 'Best service ever, thank you all', 'Wonderful product!'].map(
    (text, n) => ({
      id: `praise${n}`,
      text,
      author: `fan ${n}`,
    }),
  )
  await world.store(workspace, [...paraphrases(0, 6), ...praise])
  await world.group(workspace)
  const read = async () => {
    const { rows } = await world.inside(workspace, (tx) =>
      sql<{
        itemId: string
        number: number
        text: string
        kind: string
        by: string
        subjectless: boolean
        issue: number | null
      }>`
        select s.item_id::text as "itemId", s.number, item.text, s.feedback_kind as kind, s.kind_by as by, s.subjectless,
          s.issue_number as issue
        from statement s join feedback_item item on item.id = s.item_id order by item.id`.execute(tx),
    )
    return rows
  }
  const byWords = await read()
  expect(byWords.map(({ kind }) => kind)).toEqual(byWords.map(({ text }) => classifyKind({ text }).kind))
  const [first] = byWords
  if (!first) throw new Error('nothing was stored')
  await world.call(workspace, 'PUT', '/api/feedback-kind', {
    mention: `${first.itemId}:${first.number}`,
    kind: 'question',
  })
  await encode()
  await world.group(workspace)
  const space = await world.inside(workspace, (tx) => vectorSource(world.services).model(tx, workspace))
  const vectors = await world.inside(workspace, (tx) =>
    vectorSource(world.services).stored(tx, workspace, space?.space ?? '', byWords),
  )
  const byVectors = await read()
  expect(byVectors[0]).toMatchObject({ kind: 'question', by: 'person' })
  const expected = byVectors.slice(1).map(({ itemId, number, text }) => {
    const decision = classifyKind({ text, vector: vectors.get(`${itemId}:${number}`) as Float32Array })
    return { kind: decision.kind, subjectless: isSubjectless(decision) }
  })
  // What is nearly the same as what the person corrected is decided by that.
  const decided = byVectors
    .slice(1)
    .map(({ kind, subjectless, by }, place) => (by === 'model' ? { kind, subjectless } : expected[place]))
  expect(decided).toEqual(expected)
  expect(expected.map(({ kind }) => kind)).not.toEqual(byWords.slice(1).map(({ kind }) => kind))
  expect(
    byVectors.filter(({ text }) => text.startsWith('I love this')).map(({ kind, issue }) => [kind, issue]),
  ).toEqual([['praise', null]])
})
