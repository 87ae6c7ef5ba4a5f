import { randomUUID } from 'node:crypto'
import type { Import } from '@groundswell/contract/feedback.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { appOfFile } from '../../testing.ts'
import { accountRoutes } from '../accounts/index.ts'
import { exportFeedback } from './export.ts'
import { createImport, type ImportOptions } from './imports/create-import.ts'
import { runImport } from './imports/run-import.ts'
import { feedbackRoutes } from './routes.ts'

let ann: TestPerson
const hooks = { stored: async () => undefined }

const test = appOfFile((services) => [...accountRoutes(services), ...feedbackRoutes(services, hooks)])
beforeEach(async () => {
  ann = await test.person(randomUUID())
})

const bytesOf = async function* (text: string) {
  yield Buffer.from(text)
}
const create = (text: string, options: Partial<ImportOptions> = {}) =>
  createImport(test.services, ann.workspaceId, { name: 'tickets.csv', ...options }, bytesOf(text), {
    background: false,
  })
const run = (id: string, more = {}) => runImport(test.services, ann.workspaceId, id, { ...hooks, ...more })
const importText = async (text: string, options: Partial<ImportOptions> = {}): Promise<Import> =>
  run((await create(text, options)).id)
const texts = async () => {
  const exported = await Array.fromAsync(exportFeedback(test.services, ann.workspaceId))
  return exported.map((one) => one.text)
}
const contexts = async () => {
  const { rows } = await inWorkspace(test.services.db, ann.workspaceId, (tx) =>
    sql<{ text: string }>`select text from context_message order by said_at, external_id`.execute(tx),
  )
  return rows.map(({ text }) => text)
}
const call = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  test.call(method, url, { as: ann, ...(payload ? { payload } : {}) })

type Row = { thread?: string; author: string; text: string; role?: string }
const fileOf = (rows: readonly Row[], { threads = true, roles = false } = {}) =>
  [['id', 'author', 'text', ...(threads ? ['thread'] : []), ...(roles ? ['role'] : [])].join(',')]
    .concat(
      rows.map(({ thread = '', author, text, role = '' }, at) =>
        [`m${at}`, author, `"${text}"`, ...(threads ? [thread] : []), ...(roles ? [role] : [])].join(','),
      ),
    )
    .join('\n')

const complaint = (at: number) => `The export of report ${at} stops at page two`
const replies = [
  'Sorry to hear that! Please send us a DM with your order number and we will look into it.',
  'Thanks for reaching out. Our team is looking into this and will get back to you.',
  'We apologise for the wait. Please let us know if there is anything else we can do.',
  'Happy to help! Could you let us know which version you are using?',
  'Thank you for your patience, we have forwarded this to our engineers.',
  'Sorry about that. We are looking into it and will keep you posted.',
]
/** Conversations of one complaint and one answer each, all answers by two people. */
const conversations = (roles: { customer: string; agent: string } = { customer: '', agent: '' }): Row[] =>
  Array.from({ length: 12 }, (_, at) => [
    { thread: `t${at}`, author: `Customer ${at}`, text: complaint(at), role: roles.customer },
    { thread: `t${at}`, author: at < 6 ? 'Ines' : 'Omar', text: `${replies[at % 6]} (${at})`, role: roles.agent },
  ]).flat()
const customersOnly = Array.from({ length: 12 }, (_, at) => complaint(at))

describe('a column of roles', () => {
  const file = fileOf(conversations({ customer: 'user', agent: 'agent' }), { roles: true })

  it('makes the replies of the own side context', async () => {
    const done = await importText(file)
    expect(done).toMatchObject({ state: 'done', added: 12, known: 0, context: 12, context_left_out: 0, own_by: 'role' })
    expect(done.own_people).toEqual(['Ines', 'Omar'])
    expect(await texts()).toEqual(customersOnly)
    expect(await contexts()).toHaveLength(12)
  })

  it('left out by choice, all rows are feedback again', async () => {
    await importText(file)
    const again = await importText(file, { ownReplies: 'feedback' })
    expect(again).toMatchObject({ added: 12, known: 12, context: 0, own_people: [], own_by: null })
    expect(await texts()).toHaveLength(24)
    expect(await contexts()).toEqual([])
  })

  it('chosen later, removes replies that were read as feedback', async () => {
    await importText(file, { ownReplies: 'feedback' })
    expect(await importText(file)).toMatchObject({ added: 0, known: 12, context: 12 })
    expect(await texts()).toEqual(customersOnly)
    expect(await contexts()).toHaveLength(12)
  })
})

describe('a file without roles', () => {
  const file = fileOf(conversations())

  it('tells the own side by how its people write', async () => {
    const done = await importText(file)
    expect(done).toMatchObject({ added: 12, context: 12, own_by: 'author', own_people: ['Ines', 'Omar'] })
    expect(await texts()).toEqual(customersOnly)
    expect(await contexts()).toHaveLength(12)
  })

  it('says which replies belong to no conversation and are left out', async () => {
    const done = await importText(fileOf(conversations(), { threads: false }))
    expect(done).toMatchObject({ added: 12, context: 12, context_left_out: 12 })
    expect(await contexts()).toEqual([])
  })

  it('can be read with all of it as feedback, before and after', async () => {
    expect(await importText(file, { ownReplies: 'feedback' })).toMatchObject({ added: 24, context: 0 })
    expect(await importText(file)).toMatchObject({ added: 0, known: 12, context: 12 })
    expect(await importText(file, { ownReplies: 'feedback' })).toMatchObject({ added: 12, known: 12, context: 0 })
    expect(await texts()).toHaveLength(24)
  })

  it('keeps doubtful authors as customers', async () => {
    const mixed = replies.flatMap((text, at) => [
      { thread: `t${at}`, author: 'Kim', text },
      { thread: `t${at}`, author: 'Kim', text: complaint(at) },
    ])
    const few = replies.slice(0, 4).map((text, at) => ({ thread: `u${at}`, author: 'Lee', text: `${text} (${at})` }))
    expect(await importText(fileOf([...mixed, ...few]))).toMatchObject({ added: 16, context: 0, own_people: [] })
  })

  it('reads a later file of the source by the same people, however few replies it has', async () => {
    const first = await importText(file)
    const later = `id,author,text,thread\nn1,Customer 50,${complaint(50)},v1\nn2,Ines,We are on it,v1\n`
    const done = await importText(later, { name: 'later.csv', source: first.source?.id })
    expect(done).toMatchObject({ added: 1, context: 1, own_people: ['Ines'] })
    await importText(file, { ownReplies: 'feedback' })
    expect(await importText(later, { name: 'later.csv', source: first.source?.id })).toMatchObject({
      added: 1,
      context: 0,
    })
  })

  it('decides once: a run that was killed goes on with the same people', async () => {
    const { id } = await create(
      fileOf(
        Array.from({ length: 120 }, conversations)
          .flat()
          .map((row, at) => ({ ...row, thread: `t${at}` })),
      ),
    )
    const breaking = {
      stored: async () => {
        throw new Error('killed')
      },
    }
    await expect(run(id, breaking)).rejects.toThrow('killed')
    const done = await run(id)
    expect(done).toMatchObject({ state: 'done', added: 1440, context: 1440, own_people: ['Ines', 'Omar'] })
  })
})

it('deleting an import removes its context', async () => {
  const kept = await importText('id,text,thread\na,The invoice is wrong,k1', { name: 'kept.csv', sourceName: 'kept' })
  const done = await importText(fileOf(conversations()), { source: kept.source?.id })
  expect(await contexts()).toHaveLength(12)
  expect((await call('DELETE', `/api/imports/${done.id}`)).json()).toMatchObject({ removed: 12 })
  expect(await contexts()).toEqual([])
  expect(await texts()).toEqual(['The invoice is wrong'])
})

it('erasing a person of the own side removes their name from reports', async () => {
  const { id } = await importText(fileOf(conversations()))
  expect((await call('POST', '/api/erasure', { author: 'ines' })).json()).toEqual({ removed: 6 })
  expect((await call('GET', `/api/imports/${id}`)).json().own_people).toEqual(['Omar'])
  const { rows } = await inWorkspace(test.services.db, ann.workspaceId, (tx) =>
    sql<{ authors: string[] }>`select own_side -> 'authors' as authors from import`.execute(tx),
  )
  expect(rows).toEqual([{ authors: ['Omar'] }])
})

it('the call takes the choice', async () => {
  const url = '/api/imports?name=tickets.csv&own_replies=feedback'
  const sent = await test.call('POST', url, { as: ann, payload: fileOf(conversations()) })
  expect(sent.statusCode).toBe(200)
  expect(await run(sent.json().id)).toMatchObject({ added: 24, context: 0 })
})
