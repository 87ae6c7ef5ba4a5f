import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { appOfFile } from '../../testing.ts'
import { accountRoutes } from '../accounts/index.ts'
import { exportFeedback } from './export.ts'
import { runImport } from './imports/run-import.ts'
import { feedbackRoutes } from './routes.ts'

let ann: TestPerson
const hooks = { stored: async () => {} }

const app = appOfFile((services) => ({
  handlers: [...accountRoutes(services), ...feedbackRoutes(services, hooks)],
  rawLimit: 1024 * 1024,
}))
beforeEach(async () => {
  ann = await app.person(randomUUID())
})

const exported = () => Array.fromAsync(exportFeedback(app.services, ann.workspaceId))
const stored = async () => (await exported()).map(({ text, original }) => [text, original])

async function bring(file: string, query = 'name=mails.csv') {
  const { id } = (await app.call('POST', `/api/imports?${query}`, { as: ann, payload: file })).json()
  await runImport(app.services, ann.workspaceId, id, hooks)
  return id as string
}

const rows = async (query: ReturnType<typeof sql>) =>
  (await inWorkspace(app.services.db, ann.workspaceId, (tx) => query.execute(tx))).rows

const mail = '<p>Hello,</p><p>I can&#39;t print</p>'
const edited = '<p>Hello,</p><p>I can print now</p>'
const fileOf = (...texts: string[]) => ['id,message', ...texts.map((text, at) => `${at},${text}`)].join('\n')

test('a file’s HTML is kept beside its text, and what is no HTML is kept once', async () => {
  await bring(fileOf(`"${mail}"`, 'How do I type <b>?'))
  expect(await stored()).toEqual([
    ["Hello,\nI can't print", mail],
    ['How do I type <b>?', undefined],
  ])
})

test('an edit replaces the original with the text, and undoing it brings both back', async () => {
  await bring(fileOf(`"${mail}"`))
  const id = await bring(fileOf(`"${edited}"`), `name=mails.csv&on_conflict=replace${await sourceQuery()}`)
  expect(await stored()).toEqual([['Hello,\nI can print now', edited]])
  expect((await app.call('DELETE', `/api/imports/${id}`, { as: ann })).statusCode).toBe(200)
  expect(await stored()).toEqual([["Hello,\nI can't print", mail]])
})

async function sourceQuery() {
  const { sources } = (await app.call('GET', '/api/file-sources', { as: ann })).json()
  return `&source=${sources[0].id}`
}

test('a file that was imported before originals were kept gets them when it comes again', async () => {
  await bring(fileOf(`"${mail}"`))
  await rows(sql`update feedback_item set original = null, grouped_seq = 7`)
  await bring(fileOf(`"${mail}"`))
  expect(await stored()).toEqual([["Hello,\nI can't print", mail]])
  expect(await rows(sql`select grouped_seq from feedback_item`)).toEqual([{ grouped_seq: 7 }])
})

test('POST /api/feedback keeps the HTML that it was given, and that of an edit', async () => {
  const send = (text: string, type?: string) =>
    app.call('POST', '/api/feedback', {
      as: ann,
      payload: { items: [{ id: '1', text, ...(type ? { content_type: type } : {}) }] },
    })
  await send('Tom &amp; Jerry', 'text/html')
  expect(await stored()).toEqual([['Tom & Jerry', 'Tom &amp; Jerry']])
  await send(edited)
  expect(await stored()).toEqual([['Hello,\nI can print now', edited]])
  await send('It prints')
  expect(await stored()).toEqual([['It prints', undefined]])
})

test('our own export brings the original back', async () => {
  await bring(fileOf(`"${mail}"`, 'It is slow'))
  const file = (await exported()).map((line) => JSON.stringify(line)).join('\n')
  ann = await app.person(randomUUID())
  await bring(file, 'name=feedback.jsonl')
  expect(await stored()).toEqual([
    ["Hello,\nI can't print", mail],
    ['It is slow', undefined],
  ])
})

test('it goes with the message when its author is erased', async () => {
  await bring(`author,message\nAda,"${mail}"`)
  expect((await app.call('POST', '/api/erasure', { as: ann, payload: { author: 'Ada' } })).statusCode).toBe(200)
  expect(await rows(sql`select 1 from feedback_item where original is not null`)).toEqual([])
})
