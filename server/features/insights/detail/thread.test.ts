import type { FeedbackItem } from '@groundswell/connectors/connector.ts'
import type { Thread } from '@groundswell/contract/insights/thread.ts'
import type { Mention } from '@groundswell/contract/insights.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { storeItems } from '../../feedback/index.ts'
import { withWorld, world } from '../testing.ts'

let workspace: string

withWorld()
beforeEach(async () => {
  workspace = await world.workspace()
})

const mentions = async (of = workspace) =>
  ((await world.call(of, 'GET', '/api/insights/1/evidence')).body as { mentions: Mention[] }).mentions

/** An insight of one mention, whose message is put into a conversation with an agent. */
async function conversation(): Promise<string> {
  await world.insight(workspace, 1, [{ message: 'The export fails every time', text: 'export fails' }])
  await world.inside(workspace, async (tx) => {
    const { rows } = await sql<{ connection: string; at: Date }>`
      update feedback_item set thread = 'ticket 7', attributes = '{"Subject": "Export"}' where workspace_id = ${workspace}
      returning connection_id as connection, said_at as at`.execute(tx)
    const { connection = '', at = new Date() } = rows[0] ?? {}
    const reply: FeedbackItem = {
      externalId: 'reply',
      text: 'Which browser do you use?',
      author: 'Support',
      at: new Date(at.getTime() + 60_000),
      link: 'https://desk.example/7',
      thread: 'ticket 7',
      place: null,
      role: 'agent',
      attachments: ['steps.pdf'],
    }
    await storeItems(tx, workspace, connection, [reply])
  })
  return (await mentions())[0]?.id ?? ''
}

test('a mention of a conversation says so, and the conversation shows who wrote what', async () => {
  const id = await conversation()
  expect((await mentions()).map(({ in_thread }) => in_thread)).toEqual([true])
  const { status, body } = await world.call(workspace, 'GET', `/api/insights/1/evidence/${id}/thread`)
  expect(status).toBe(200)
  const thread = body as Thread
  expect(thread.messages.map(({ role, text, here, attachments }) => [role, text, here, attachments])).toEqual([
    ['customer', 'The export fails every time', true, []],
    ['agent', 'Which browser do you use?', false, ['steps.pdf']],
  ])
  expect(thread).toMatchObject({ attributes: [{ name: 'Subject', value: 'Export' }], earlier: false, later: false })
})

test('what an agent wrote is in no list of mentions', async () => {
  await conversation()
  expect((await mentions()).map(({ text }) => text)).toEqual(['export fails'])
})

test('a mention that is alone in its conversation, or in none, does not offer one', async () => {
  await world.insight(workspace, 1, [{ message: 'The export fails', text: 'export fails' }])
  const offered = async () => (await mentions()).map((mention) => 'in_thread' in mention)
  expect(await offered()).toEqual([false])
  await world.inside(workspace, (tx) => sql`update feedback_item set thread = 'alone'`.execute(tx))
  expect(await offered()).toEqual([false])
})

test('a conversation is shown only through an insight of the own workspace that has the mention', async () => {
  const id = await conversation()
  const other = await world.workspace()
  const asked = [
    [other, `/api/insights/1/evidence/${id}/thread`],
    [workspace, `/api/insights/2/evidence/${id}/thread`],
    [workspace, '/api/insights/1/evidence/999999:0/thread'],
  ] as const
  for (const [who, path] of asked) expect(await world.call(who, 'GET', path)).toMatchObject({ status: 404 })
  expect(await world.call(workspace, 'GET', '/api/insights/1/evidence/x/thread')).toMatchObject({ status: 400 })
})

test('a mention whose text was made of HTML says so, and its conversation has the original', async () => {
  const html = '<p>The export <b>fails</b></p>'
  await world.insight(workspace, 1, [{ message: 'The export fails', text: 'export fails' }])
  const offered = async () => (await mentions()).map(({ has_original }) => has_original)
  expect(await offered()).toEqual([undefined])
  await world.inside(workspace, (tx) => sql`update feedback_item set original = ${html}`.execute(tx))
  expect(await offered()).toEqual([true])
  const id = (await mentions())[0]?.id ?? ''
  const { body } = await world.call(workspace, 'GET', `/api/insights/1/evidence/${id}/thread`)
  expect((body as Thread).messages.map(({ here, original }) => [here, original])).toEqual([[true, html]])
})
