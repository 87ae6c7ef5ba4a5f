import { randomUUID } from 'node:crypto'
import type { Import } from '@groundswell/contract/feedback.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { TestPerson } from '../../../platform/http/testing.ts'
import { appOfFile } from '../../../testing.ts'
import { accountRoutes } from '../../accounts/index.ts'
import { exportFeedback } from '../export.ts'
import { feedbackJobs, sweepImports } from '../jobs.ts'
import { feedbackRoutes } from '../routes.ts'
import { createImport } from './create-import.ts'
import { readImport } from './read-import.ts'
import { runImport } from './run-import.ts'

let ann: TestPerson
const stored: string[] = []
const hooks = { stored: async (_tx: Tx, workspaceId: string) => void stored.push(workspaceId) }

const test = appOfFile((services) => ({
  handlers: [...accountRoutes(services), ...feedbackRoutes(services, hooks)],
  rawLimit: 8 * 1024 * 1024,
}))
beforeEach(async () => {
  ann = await test.person(randomUUID())
  stored.length = 0
})

const rows = (count: number) => {
  const lines = Array.from({ length: count }, (_, index) => `${index},The export of report ${index} failed,Ann`)
  return ['id,text,author', ...lines].join('\n')
}
const bytesOf = async function* (text: string | Uint8Array) {
  yield typeof text === 'string' ? Buffer.from(text) : text
}
const create = (text: string | Uint8Array, name = 'feedback.csv') =>
  createImport(test.services, ann.workspaceId, { name }, bytesOf(text), { background: false })
const run = (id: string) => runImport(test.services, ann.workspaceId, id, hooks)
const importText = async (text: string | Uint8Array, name?: string): Promise<Import> =>
  run((await create(text, name)).id)
const texts = async () => {
  const exported = await Array.fromAsync(exportFeedback(test.services, ann.workspaceId))
  return exported.map((one) => one.text)
}
const chunks = async (): Promise<number> => {
  const found = await inWorkspace(test.services.db, ann.workspaceId, (tx) =>
    sql<{ count: number }>`select count(*) as count from import_chunk`.execute(tx),
  )
  return found.rows[0]?.count ?? -1
}

describe('an import', () => {
  it('stores a date without a time as a day, also once another mapping or file gives the same midnight as a moment', async () => {
    const dates = async () =>
      (await Array.fromAsync(exportFeedback(test.services, ann.workspaceId))).map((one) => one.date)
    await importText('id,text,date\n1,The export fails,2026-10-04\n2,The import fails,2026-10-04T00:00:00Z\n')
    expect(await dates()).toEqual(['2026-10-04', '2026-10-04T00:00:00.000Z'])
    const [source] = await inWorkspace(test.services.db, ann.workspaceId, async (tx) => {
      const { rows } = await sql<{ id: string }>`select connection_id as id from feedback_item limit 1`.execute(tx)
      return rows
    })
    const again = await createImport(
      test.services,
      ann.workspaceId,
      { name: 'feedback.csv', source: source?.id, onConflict: 'replace' },
      bytesOf('id,text,date\n1,The export fails,2026-10-04T00:00:00Z\n2,The import fails,10/04/2026\n'),
      { background: false },
    )
    await run(again.id)
    expect(await dates()).toEqual(['2026-10-04T00:00:00.000Z', '2026-10-04'])
  })

  it('stores every row once, also when the same file comes again', async () => {
    const first = await importText(rows(2_500))
    expect(first).toMatchObject({ state: 'done', added: 2_500, known: 0, bad: 0, grouped: 0, error: null })
    expect(first.bytes_read).toBe(first.bytes)
    expect(await texts()).toHaveLength(2_500)
    expect(stored.length).toBeGreaterThan(1)
    expect(await chunks()).toBe(0)
    stored.length = 0
    expect(await importText(rows(2_500))).toMatchObject({ state: 'done', added: 0, known: 2_500 })
    expect(await texts()).toHaveLength(2_500)
    expect(stored).toEqual([])
  })

  it('shows how many of its items are grouped', async () => {
    await importText(rows(3))
    const { id } = await importText('id,text\na,one more\nb,and another\n', 'second.csv')
    const grouped = async () => (await readImport(test.services, ann.workspaceId, id))?.grouped
    expect(await grouped()).toBe(0)
    await inWorkspace(test.services.db, ann.workspaceId, (tx) =>
      sql`update feedback_item set grouped_seq = id where external_id <> 'b'`.execute(tx),
    )
    expect(await grouped()).toBe(1)
  })

  it('that is killed resumes after the last row that was stored', async () => {
    const { id } = await create(rows(5_000))
    let batches = 0
    const breaking = {
      stored: async () => {
        batches += 1
        if (batches === 3) throw new Error('killed')
      },
    }
    await expect(runImport(test.services, ann.workspaceId, id, breaking)).rejects.toThrow('killed')
    const half = await readImport(test.services, ann.workspaceId, id)
    expect(half).toMatchObject({ state: 'running', added: (await texts()).length })
    expect(half?.added).toBeGreaterThan(0)
    expect(half?.added).toBeLessThan(5_000)
    expect(await run(id)).toMatchObject({ state: 'done', added: 5_000, known: 0, bad: 0 })
    expect(new Set(await texts()).size).toBe(5_000)
  })

  it('read by two at once is read once', async () => {
    const { id } = await create(rows(4_000))
    await Promise.all([run(id), run(id), run(id)])
    await run(id)
    expect(await readImport(test.services, ann.workspaceId, id)).toMatchObject({
      state: 'done',
      added: 4_000,
      known: 0,
    })
    expect(await texts()).toHaveLength(4_000)
  })

  it('stops after a batch when it is aborted, and reports its progress', async () => {
    const { id } = await create(rows(4_000))
    const stop = new AbortController()
    const seen: number[] = []
    const watched = {
      ...hooks,
      signal: stop.signal,
      onProgress: (progress: { added: number }) => {
        seen.push(progress.added)
        stop.abort(new Error('stopping'))
      },
    }
    await expect(runImport(test.services, ann.workspaceId, id, watched)).rejects.toThrow('stopping')
    expect(seen).toEqual([(await texts()).length])
  })

  it('names bad rows by their line, and imports the rest', async () => {
    const bad = 'id,text\n1,good\n2,\n3,"unclosed\n4,also good\n'
    const ended = await importText(bad)
    expect(ended.state).toBe('done')
    expect(ended.bad).toBe(ended.problems.length)
    expect(ended.problems.map((problem) => problem.line)).toContain(3)
    expect(await texts()).toContain('good')
  })

  it.each([
    ['a byte order mark', Buffer.from('\ufeffid,text\n1,said this\n'), ['said this'], []],
    [
      'a line that is not UTF-8',
      Buffer.concat([Buffer.from('id,text\n1,Zürich\n2,caf'), Buffer.from([0xe9, 0xff]), Buffer.from('\n3,fine\n')]),
      ['Zürich', 'fine'],
      [3],
    ],
    ['a line over 1 MiB', `id,text\n1,good\n2,${'x'.repeat(1_100_000)}\n3,fine\n`, ['good', 'fine'], [3]],
    ['a header and nothing else', 'id,text\n', [], []],
  ])('of a partly broken file reports where and imports the rest: %s', async (_, content, said, lines) => {
    const ended = await importText(content)
    expect(await texts()).toEqual(said)
    expect(ended.problems.map((problem) => problem.line)).toEqual(lines)
  })

  it('imports rows without their links that are no addresses of web pages', async () => {
    const links = [
      'javascript:alert(1)',
      'data:text/html;x',
      '//evil.example/x',
      '/settings',
      'https://a@evil.example/',
    ]
    const good = 'https://desk.example/1'
    const text = [
      'id,text,role,thread,link',
      ...[...links, good].map((link, at) => `${at},said ${at},customer,t,${link}`),
    ]
    expect(await importText(text.join('\n'))).toMatchObject({ state: 'done', added: 6, bad: 0 })
    const exported = await Array.fromAsync(exportFeedback(test.services, ann.workspaceId))
    expect(exported.map(({ link }) => link)).toEqual([...links.map(() => null), good])
    // The same rows with other texts: what a file replaces is stored by other statements.
    const again = text.map((line) => line.replace('said', 'written'))
    expect(await importText(again.join('\n'), 'again.csv')).toMatchObject({ state: 'done', bad: 0 })
    const all = await Array.fromAsync(exportFeedback(test.services, ann.workspaceId))
    expect(new Set(all.map(({ link }) => link))).toEqual(new Set([null, good]))
  })

  it('keeps the first 200 problems only', async () => {
    const lines = Array.from({ length: 700 }, (_, index) => (index % 2 === 0 ? `${index},said something` : `${index},`))
    const ended = await importText(['id,text', ...lines].join('\n'))
    expect([ended.added, ended.bad, ended.problems.length]).toEqual([350, 350, 200])
  })

  it.each([
    ['a damaged workbook', Uint8Array.from([0x50, 0x4b, 0x03, 0x04, 1, 2, 3]), 'book.xlsx', /damaged/],
    ['a PDF', Buffer.from('%PDF-1.7 etc'), 'paper.pdf', /CSV/],
    ['a picture', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), 'screen.png', /CSV/],
  ])(
    'of a file without text is refused with the reason, and nothing of it is kept: %s',
    async (_, content, name, why) => {
      const refused = create(content, name)
      await expect(refused).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringMatching(why) })
      expect(await chunks()).toBe(0)
      expect((await test.call('GET', '/api/imports', { as: ann })).json()).toEqual({ imports: [] })
    },
  )

  it('streams a large file in pieces', async () => {
    const text = 'words '.repeat(60)
    const lines = Array.from({ length: 9_000 }, (_, index) => `${index},${text}${index}`)
    const { id, bytes } = await create(['id,text', ...lines].join('\n'))
    expect(bytes).toBeGreaterThan(3 * 1024 * 1024)
    expect(await chunks()).toBe(Math.ceil(bytes / (1024 * 1024)))
    expect(await run(id)).toMatchObject({ state: 'done', added: 9_000, known: 0, bad: 0 })
  })
})

describe('an upload', () => {
  it('that breaks off leaves nothing behind', async () => {
    const broken = async function* () {
      yield Buffer.alloc(3 * 1024 * 1024, 'x')
      throw new Error('the client went away')
    }
    const options = { name: 'a.csv' }
    await expect(createImport(test.services, ann.workspaceId, options, broken())).rejects.toThrow('went away')
    expect(await chunks()).toBe(0)
    expect((await test.call('GET', '/api/imports', { as: ann })).json()).toEqual({ imports: [] })
  })

  it.each([
    ['an empty file', '/api/imports?name=a.csv', '', 400, ['body']],
    ['no name', '/api/imports', 'x', 400, ['name']],
    ['an unknown format', '/api/imports?name=a&format=xls', 'x', 400, ['format']],
    ['a mapping that is no JSON', '/api/imports?name=a&mapping={', 'x', 400, ['mapping']],
    ['a mapping without text', '/api/imports?name=a&mapping={"id":"1"}', 'x', 400, ['mapping.text']],
    ['a preview of a PDF', '/api/imports/preview?name=a.pdf', '%PDF-1.7', 400, ['body']],
    ['too much for a preview', '/api/imports/preview?name=a', 'x'.repeat(300_000), 413, []],
    ['too much for an import', '/api/imports?name=a', 'x'.repeat(9 * 1024 * 1024), 413, []],
  ])('is refused by name: %s', async (_, url, payload, status, fields) => {
    const answer = await test.call('POST', url, { as: ann, payload })
    expect(answer.statusCode).toBe(status)
    expect(Object.keys(answer.json().fields ?? {})).toEqual(fields)
    expect((await test.call('GET', '/api/imports', { as: ann })).json()).toEqual({ imports: [] })
    expect(await chunks()).toBe(0)
  })

  it('is previewed', async () => {
    const answer = await test.call('POST', '/api/imports/preview?name=feedback.csv', { as: ann, payload: rows(20) })
    expect(answer.json()).toMatchObject({
      format: 'csv',
      header: true,
      columns: ['id', 'text', 'author'],
      mapping: { text: 'text', id: 'id', author: 'author' },
    })
  })

  it('is read in the background, as its options say', async () => {
    for (const worker of feedbackJobs(test.services, hooks)) await test.services.queue.work(worker)
    const mapping = encodeURIComponent(JSON.stringify({ text: '2' }))
    const url = `/api/imports?name=plain.csv&format=csv&header=false&mapping=${mapping}`
    const started = await test.call('POST', url, { as: ann, payload: 'a,first said\nb,then said\n' })
    expect(started.json()).toMatchObject({ state: 'waiting', name: 'plain.csv', bytes: 25 })
    const look = async () => (await test.call('GET', `/api/imports/${started.json().id}`, { as: ann })).json()
    await expect.poll(async () => (await look()).state).toBe('done')
    expect(await texts()).toEqual(['first said', 'then said'])
    expect((await test.call('GET', '/api/imports', { as: ann })).json()).toEqual({ imports: [await look()] })
  })

  it('whose job was lost is found by the sweep', async () => {
    const { id } = await create(rows(10))
    test.time.passMs += 6 * 60_000
    await sweepImports(test.services, hooks)
    test.time.passMs = 0
    const look = async () => (await readImport(test.services, ann.workspaceId, id))?.state
    await expect.poll(look).toBe('done')
  })

  it('is its own workspace’s alone', async () => {
    const bo = await test.person(randomUUID())
    const { id } = await importText(rows(3))
    expect((await test.call('GET', `/api/imports/${id}`, { as: ann })).statusCode).toBe(200)
    expect((await test.call('GET', `/api/imports/${id}`, { as: bo })).statusCode).toBe(404)
    expect((await test.call('GET', '/api/imports', { as: bo })).json()).toEqual({ imports: [] })
    await expect(runImport(test.services, bo.workspaceId, id, hooks)).rejects.toMatchObject({ code: 'not_found' })
  })
})
