import { randomUUID } from 'node:crypto'
import type { Import } from '@groundswell/contract/feedback.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { unavailability } from '../../platform/db/unavailable.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { appOfFile } from '../../testing.ts'
import { accountRoutes } from '../accounts/index.ts'
import { exportFeedback } from './export.ts'
import { createImport, type ImportOptions } from './imports/create-import.ts'
import { readImport } from './imports/read-import.ts'
import { runImport } from './imports/run-import.ts'
import { feedbackRoutes } from './routes.ts'
import { deleteImport } from './take-back.ts'

let ann: TestPerson
const relabelled: number[][] = []
const hooks = {
  stored: async () => undefined,
  relabelled: async (_tx: unknown, _workspaceId: string, ids: readonly number[]) => void relabelled.push([...ids]),
}

const test = appOfFile((services) => [...accountRoutes(services), ...feedbackRoutes(services, hooks)])
beforeEach(async () => {
  ann = await test.person(randomUUID())
  relabelled.length = 0
})

const bytesOf = async function* (text: string) {
  yield Buffer.from(text)
}
const create = (text: string, options: Partial<ImportOptions> = {}) =>
  createImport(test.services, ann.workspaceId, { name: 'survey.csv', ...options }, bytesOf(text), { background: false })
const run = (id: string) => runImport(test.services, ann.workspaceId, id, hooks)
const importText = async (text: string, options: Partial<ImportOptions> = {}): Promise<Import> =>
  run((await create(text, options)).id)
const exported = () => Array.fromAsync(exportFeedback(test.services, ann.workspaceId))
/** How it ends. As the queue does, it runs the job again where it waited too long for a lock. */
async function endOf(job: () => Promise<unknown>): Promise<unknown> {
  const ended = await job().catch((error: unknown) => error)
  return unavailability(ended) === 'busy' ? endOf(job) : ended
}
const texts = async () => (await exported()).map((one) => one.text)
const ids = async () => (await exported()).map((one) => one.id)
const call = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  test.call(method, url, { as: ann, ...(payload ? { payload } : {}) })
const sources = async () => (await call('GET', '/api/file-sources')).json().sources
const markGrouped = () =>
  inWorkspace(test.services.db, ann.workspaceId, (tx) => sql`update feedback_item set grouped_seq = id`.execute(tx))
const waiting = async () => {
  const { rows } = await inWorkspace(test.services.db, ann.workspaceId, (tx) =>
    sql<{ id: number }>`select id from feedback_item where grouped_seq is null order by id`.execute(tx),
  )
  return rows.map((row) => row.id)
}
const numbered = (what: string, count: number) =>
  ['id,text', ...Array.from({ length: count }, (_, at) => `${at + 1},${what} number ${at + 1}`)].join('\n')

describe('two files that both count from 1', () => {
  it('lose no row: each new file is its own source', async () => {
    const survey = await importText(numbered('The survey says', 40), { name: 'survey.csv' })
    const tickets = await importText(numbered('The ticket says', 60), { name: 'tickets.csv' })
    expect(survey).toMatchObject({ added: 40, known: 0, source: { name: 'survey' } })
    expect(tickets).toMatchObject({ added: 60, known: 0, source: { name: 'tickets' } })
    expect(new Set(await texts()).size).toBe(100)
    expect((await exported()).map((one) => one.source_name)).toEqual([
      ...Array.from({ length: 40 }, () => 'survey'),
      ...Array.from({ length: 60 }, () => 'tickets'),
    ])
    expect(await sources()).toEqual([
      { id: survey.source?.id, name: 'survey', messages: 40, imports: 1 },
      { id: tickets.source?.id, name: 'tickets', messages: 60, imports: 1 },
    ])
  })

  it('of the same name have sources that can be told apart, and a name can be given', async () => {
    await importText(numbered('January', 2))
    expect((await importText(numbered('February', 2))).source?.name).toBe('survey (2)')
    expect((await importText(numbered('March', 2), { sourceName: 'All surveys' })).source?.name).toBe('All surveys')
  })

  it('go into one source when the user picks it', async () => {
    const first = await importText(numbered('The survey says', 3))
    const more = `${numbered('The survey says', 3)}\n4,And this is new`
    const second = await importText(more, { source: first.source?.id })
    expect(second).toMatchObject({ state: 'done', added: 1, known: 3, source: first.source })
    expect(await sources()).toMatchObject([{ messages: 4, imports: 2 }])
  })

  it('go nowhere when the source is not there, or is another workspace’s', async () => {
    const first = await importText(numbered('The survey says', 3))
    const bo = await test.person(randomUUID())
    for (const [as, source] of [
      [ann, randomUUID()],
      [bo, first.source?.id],
    ] as const) {
      const answer = await test.call('POST', `/api/imports?name=a.csv&source=${source}`, { as, payload: 'text\nhello' })
      expect([answer.statusCode, Object.keys(answer.json().fields)]).toEqual([400, ['source']])
    }
    expect((await test.call('POST', '/api/imports?name=a&source=x', { as: ann, payload: 'x' })).statusCode).toBe(400)
  })
})

describe('the same file again', () => {
  it('is recognised by its first part and size, also under another name, and goes into its source', async () => {
    const first = await importText(numbered('The survey says', 30))
    const url = `/api/imports/preview?name=other.csv&size=${first.bytes}`
    const payload = numbered('The survey says', 30)
    const { same } = (await test.call('POST', url, { as: ann, payload })).json()
    expect(same).toMatchObject({ source: { id: first.source?.id, name: 'survey', messages: 30 } })
    const changed = (await test.call('POST', url, { as: ann, payload: numbered('The survey sags', 30) })).json()
    expect(changed.same).toBeNull()
    expect(await importText(payload, { name: 'other.csv' })).toMatchObject({
      added: 0,
      known: 30,
      source: first.source,
    })
  })

  it('is a new source if the user asks for one', async () => {
    await importText(numbered('The survey says', 3))
    expect(await importText(numbered('The survey says', 3), { source: 'new' })).toMatchObject({ added: 3, known: 0 })
  })

  it.each([
    ['without ids', 'title,body\n', (at: number) => `Title ${at % 7},Body ${at}`],
    ['with an id column that was not mapped', 'number,title,body\n', (at: number) => `${at},Title ${at},Body ${at}`],
  ])('read with another mapping changes its rows and adds none: %s', async (_, header, line) => {
    const rows = header + Array.from({ length: 2_300 }, (_row, at) => line(at)).join('\n')
    await importText(rows, { mapping: { text: 'title' } })
    const before = await ids()
    await markGrouped()
    const mapping = header.startsWith('number') ? { text: 'body', id: 'number' } : { text: 'body' }
    const again = await importText(rows, { mapping, onConflict: 'replace' })
    expect(again).toMatchObject({ state: 'done', added: 0, replaced: 2_300, known: 0, restorable: 2_300, grouped: 0 })
    expect(await ids()).toEqual(before)
    expect(await texts()).toEqual(Array.from({ length: 2_300 }, (_row, at) => `Body ${at}`))
    expect(await waiting()).toEqual(before)
    // The items as they are now also count for files imported later.
    const grown = await importText(`${rows}\n${line(9_999)}`, { mapping, source: again.source?.id })
    expect(grown).toMatchObject({ added: 1, replaced: 0, known: 2_300 })
  })

  it('with another id column keeps every row what it was, though the ids change hands', async () => {
    const count = 1_500
    const rows = `customer,ticket,text\n${Array.from({ length: count }, (_, at) => `${at + 1},${count - at},Text ${at}`).join('\n')}`
    await importText(rows, { mapping: { text: 'text', id: 'customer' } })
    const before = (await exported()).map((one) => [one.id, one.text])
    const again = await importText(rows, { mapping: { text: 'text', id: 'ticket' } })
    expect(again).toMatchObject({ state: 'done', added: 0, replaced: 0, known: count })
    expect((await exported()).map((one) => [one.id, one.text])).toEqual(before)
    expect((await exported()).map((one) => one.external_id)).toEqual(
      Array.from({ length: count }, (_, at) => String(count - at)),
    )
  })

  it('that is killed while a mapping is corrected resumes after its last batch', async () => {
    const rows = `title,body\n${Array.from({ length: 3_500 }, (_, at) => `Title ${at},Body ${at}`).join('\n')}`
    await importText(rows, { mapping: { text: 'title' } })
    const { id } = await create(rows, { mapping: { text: 'body' }, onConflict: 'replace' })
    let batches = 0
    const breaking = {
      stored: async () => {
        batches += 1
        if (batches === 2) throw new Error('killed')
      },
    }
    await expect(runImport(test.services, ann.workspaceId, id, breaking)).rejects.toThrow('killed')
    const half = await readImport(test.services, ann.workspaceId, id)
    expect((await texts()).filter((text) => text.startsWith('Body'))).toHaveLength(half?.replaced ?? -1)
    expect(half?.replaced).toBeGreaterThan(0)
    expect(await run(id)).toMatchObject({ state: 'done', added: 0, replaced: 3_500, restorable: 3_500 })
    expect(await texts()).toEqual(Array.from({ length: 3_500 }, (_, at) => `Body ${at}`))
  })

  it('with author and date mapped now sets both, and groups nothing again', async () => {
    const rows = 'text,who,day\nIt fails,Ann,2026-01-02\nIt fails too,Bo,2026-01-03'
    await importText(rows, { mapping: { text: 'text' } })
    await markGrouped()
    await importText(rows, { mapping: { text: 'text', author: 'who', date: 'day' } })
    const dated = await exported()
    expect(dated.map((one) => [one.author, one.date.slice(0, 10)])).toEqual([
      ['Ann', '2026-01-02'],
      ['Bo', '2026-01-03'],
    ])
    expect(await waiting()).toEqual([])
    expect(relabelled).toEqual([dated.map((one) => one.id)])
    const undated = await importText(rows, { mapping: { text: 'text' } })
    expect((await exported()).map((one) => one.date)).toEqual([undated.started_at, undated.started_at])
    await importText(rows, { mapping: { text: 'text' } })
    expect((await exported()).map((one) => one.date)).toEqual([undated.started_at, undated.started_at])
  })
})

describe('text that would be replaced', () => {
  const before = 'id,text\n1,The export fails\n2,The login fails\n3,Same as ever'
  const after = 'id,text\n1,The import fails\n2,The search fails\n3,Same as ever\n4,New here'

  it('is asked about first, with its number and samples, and nothing is stored until then', async () => {
    const first = await importText(before)
    const asked = await importText(after, { source: first.source?.id })
    expect(asked).toMatchObject({
      state: 'asking',
      added: 0,
      asks: {
        replaces: 2,
        samples: [
          { line: 2, before: 'The export fails', after: 'The import fails' },
          { line: 3, before: 'The login fails', after: 'The search fails' },
        ],
      },
    })
    expect(await texts()).toEqual(['The export fails', 'The login fails', 'Same as ever'])
  })

  it.each([
    ['replace', ['The import fails', 'The search fails', 'Same as ever', 'New here'], { replaced: 2, known: 1 }],
    ['keep', ['The export fails', 'The login fails', 'Same as ever', 'New here'], { replaced: 0, known: 3 }],
  ] as const)('is treated as the answer says: %s', async (answer, expected, figures) => {
    const first = await importText(before)
    const asked = await importText(after, { source: first.source?.id })
    const answered = await call('POST', `/api/imports/${asked.id}/answer`, { on_conflict: answer })
    expect(answered.json()).toMatchObject({ state: 'waiting', asks: null })
    expect(await run(asked.id)).toMatchObject({ state: 'done', added: 1, ...figures })
    expect(await texts()).toEqual(expected)
    const again = await call('POST', `/api/imports/${asked.id}/answer`, { on_conflict: answer })
    expect([again.statusCode, again.json().code]).toEqual([409, 'conflict'])
  })

  it('is stored: it can be read, restored one by one, and restored as a whole', async () => {
    const first = await importText(before)
    const second = await importText(after, { source: first.source?.id, onConflict: 'replace' })
    await markGrouped()
    const kept = (await call('GET', `/api/imports/${second.id}/replaced`)).json()
    const [export_, login] = await ids()
    expect(kept).toEqual({
      replaced: [
        { item_id: export_, before: 'The export fails', after: 'The import fails' },
        { item_id: login, before: 'The login fails', after: 'The search fails' },
      ],
      next: null,
    })
    const one = await call('POST', `/api/imports/${second.id}/restore`, { item_ids: [login] })
    expect(one.json()).toEqual({ restored: 1 })
    expect(await texts()).toEqual(['The import fails', 'The login fails', 'Same as ever', 'New here'])
    expect(await waiting()).toEqual([login])
    expect((await call('POST', `/api/imports/${second.id}/restore`, {})).json()).toEqual({ restored: 1 })
    expect(await texts()).toEqual(['The export fails', 'The login fails', 'Same as ever', 'New here'])
    expect((await readImport(test.services, ann.workspaceId, second.id))?.restorable).toBe(0)
  })

  it('of several imports comes back in the right order, whichever is taken back first', async () => {
    const versions = ['one', 'two', 'three'].map((text) => `id,text\n1,${text}`)
    for (const [first, second] of [
      [1, 2],
      [2, 1],
    ] as const) {
      ann = await test.person(randomUUID())
      const made: Import[] = []
      for (const text of versions) {
        made.push(await importText(text, { source: made[0]?.source?.id, onConflict: 'replace' }))
      }
      await call('POST', `/api/imports/${made[first]?.id}/restore`, {})
      expect(await texts()).toEqual([first === 2 ? 'two' : 'three'])
      await call('POST', `/api/imports/${made[second]?.id}/restore`, {})
      expect(await texts()).toEqual(['one'])
    }
  })
})

describe('rows repeated within a file', () => {
  it('are named, near and far, and the last one counts', async () => {
    const lines = Array.from({ length: 2_500 }, (_, at) => `${at},text ${at}`)
    lines[6] = '1,the last of row 3'
    lines[2_400] = '7,far away'
    const first = await importText(['id,text', ...lines].join('\n'))
    expect(first).toMatchObject({ added: 2_498, known: 0, repeated: 2, bad: 0 })
    expect(first.repeats).toEqual([
      { line: 8, of: 3 },
      { line: 2_402, of: 9 },
    ])
    expect(await texts()).toContain('the last of row 3')
  })

  it('count once more when the file comes again, and once the ids are corrected every row is there', async () => {
    const lines = Array.from({ length: 2_200 }, (_, at) => `${at % 2_000},text ${at},${at}`)
    const rows = ['customer,text,ticket', ...lines].join('\n')
    const first = await importText(rows, { mapping: { text: 'text', id: 'customer' } })
    expect(first).toMatchObject({ added: 2_000, known: 0, repeated: 200, replaced: 0 })
    expect(first.repeats[0]).toEqual({ line: 2_002, of: 2 })
    const again = await importText(rows, { mapping: { text: 'text', id: 'customer' }, onConflict: 'replace' })
    expect(again).toMatchObject({ added: 0, repeated: 200 })
    expect(await texts()).toHaveLength(2_000)
    const corrected = await importText(rows, { mapping: { text: 'text', id: 'ticket' }, onConflict: 'replace' })
    expect(corrected).toMatchObject({ added: 200, repeated: 0 })
    expect(new Set(await texts()).size).toBe(2_200)
  })
})

describe('deleting an import', () => {
  it('removes what only it brought, gives replaced text back, and removes a source that is empty', async () => {
    const first = await importText('id,text\n1,one\n2,two')
    const second = await importText('id,text\n1,one\n2,deux\n3,three', {
      source: first.source?.id,
      onConflict: 'replace',
    })
    expect((await call('DELETE', `/api/imports/${second.id}`)).json()).toEqual({ removed: 1, restored: 1 })
    expect(await texts()).toEqual(['one', 'two'])
    expect((await call('GET', `/api/imports/${second.id}`)).statusCode).toBe(404)
    expect((await call('DELETE', `/api/imports/${second.id}`)).statusCode).toBe(404)
    expect((await call('DELETE', `/api/imports/${first.id}`)).json()).toEqual({ removed: 2, restored: 0 })
    expect(await texts()).toEqual([])
    expect(await sources()).toEqual([])
  })

  it('leaves what another import has too', async () => {
    const first = await importText('id,text\n1,one\n2,two')
    await importText('id,text\n2,two\n3,three', { source: first.source?.id })
    expect((await call('DELETE', `/api/imports/${first.id}`)).json()).toEqual({ removed: 1, restored: 0 })
    expect(await texts()).toEqual(['two', 'three'])
  })

  it('that is cut off before its end changes nothing, and can be made again', async () => {
    const first = await importText('id,text\n1,one\n2,two')
    const second = await importText('id,text\n2,zwei\n3,three', { source: first.source?.id, onConflict: 'replace' })
    const cutOff = { ...hooks, stored: () => Promise.reject(new Error('killed')) }
    await expect(deleteImport(test.services, ann.workspaceId, second.id, cutOff)).rejects.toThrow('killed')
    expect(await texts()).toEqual(['one', 'zwei', 'three'])
    expect(await readImport(test.services, ann.workspaceId, second.id)).toMatchObject({ state: 'done', restorable: 1 })
    expect(await deleteImport(test.services, ann.workspaceId, second.id, hooks)).toEqual({ removed: 1, restored: 1 })
    expect(await texts()).toEqual(['one', 'two'])
  })

  it('stops one that is being read, and one that asks', async () => {
    const rows = numbered('The survey says', 3_000)
    const { id } = await create(rows)
    const stopping = {
      ...hooks,
      stored: async () => undefined,
      onProgress: () => deleted.push(call('DELETE', `/api/imports/${id}`)),
    }
    const deleted: Promise<unknown>[] = []
    const ended = await endOf(() => runImport(test.services, ann.workspaceId, id, stopping))
    await Promise.all(deleted)
    expect(ended).toMatchObject({ code: 'not_found' })
    expect(await texts()).toEqual([])
    const first = await importText('id,text\n1,one')
    const asking = await importText('id,text\n1,eins', { source: first.source?.id })
    expect((await call('DELETE', `/api/imports/${asking.id}`)).json()).toEqual({ removed: 0, restored: 0 })
    expect(await texts()).toEqual(['one'])
  })
})

it('rows without an id that were stored before their titles were read are the same rows, in a longer file too', async () => {
  const rows = ['date,title,text', '2026-10-01,Slow,The sync takes minutes', '2026-10-02,Dark theme,Please add one']
  const first = await importText(rows.join('\n'), { mapping: { text: 'text', date: 'date' } })
  const before = await ids()
  const more = [...rows, '2026-10-03,Login,It fails on my phone'].join('\n')
  const second = await importText(more, { source: first.source?.id, onConflict: 'replace' })
  expect(second).toMatchObject({ added: 1, replaced: 2, known: 0 })
  expect((await ids()).slice(0, 2)).toEqual(before)
  expect(await texts()).toEqual([
    'Slow\n\nThe sync takes minutes',
    'Dark theme\n\nPlease add one',
    'Login\n\nIt fails on my phone',
  ])
  const third = await importText(`${more}\n2026-10-04,Export,It is empty`, { source: first.source?.id })
  expect(third).toMatchObject({ added: 1, replaced: 0, known: 3 })
})

it('a row with a title is not taken for one with the same text and no title, far above it in the same file', async () => {
  const others = Array.from({ length: 1_200 }, (_, at) => `,Message ${at}`)
  const imported = await importText(['title,text', ',It is slow', ...others, 'Sync,It is slow'].join('\n'), {
    mapping: { title: 'title', text: 'text' },
  })
  expect(imported).toMatchObject({ added: 1_202, known: 0 })
})

it('a row without a title keeps its item when one with the same text and a title follows', async () => {
  const first = await importText('title,text\nSync,It is slow', { mapping: { text: 'text' } })
  const options = { source: first.source?.id, mapping: { title: 'title', text: 'text' } }
  const both = 'title,text\n,It is slow\nSync,It is slow'
  expect(await importText(both, options)).toMatchObject({ added: 1, known: 1 })
  expect(await importText(`${both}\nExport,It is empty`, options)).toMatchObject({ added: 1, known: 2 })
})
