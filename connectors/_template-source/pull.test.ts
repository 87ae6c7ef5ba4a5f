import { expect, it } from 'vitest'
import type { Context, Page } from '../connector.ts'
import { failureFrom, startServer } from '../kit/testing.ts'
import { type Helpdesk, startHelpdesk } from '../sandbox/helpdesk/helpdesk.ts'
import { pull } from './pull.ts'
import { contextFor } from './testing.ts'

const agent = { name: 'Agent Ash', kind: 'agent' } as const

async function drain(context: Context, cursor: unknown = null): Promise<Page<unknown>[]> {
  const pages: Page<unknown>[] = []
  for await (const page of pull(context, JSON.parse(JSON.stringify(cursor)))) pages.push(page)
  return pages
}

const idsIn = (pages: Page<unknown>[]) => pages.flatMap(({ items }) => items.map(({ externalId }) => externalId))

function fill({ messages }: Helpdesk): void {
  messages.add({ conversation: 'c1', body: 'The export fails', at: Date.UTC(2026, 2, 1) })
  messages.add({ conversation: 'c1', body: 'We will look into it', author: agent, at: Date.UTC(2026, 2, 2) })
  messages.add({ conversation: 'c2', body: 'How much is it?', inbox: 'sales', at: Date.UTC(2026, 2, 3) })
}

it('reads a message with all that is known of it, and an agent’s as context', async () => {
  await using helpdesk = await startHelpdesk()
  fill(helpdesk)
  const [page] = await drain(contextFor(helpdesk))
  expect(page?.items[0]).toEqual({
    externalId: 'm1',
    text: 'The export fails',
    author: 'Ann Author',
    at: new Date(Date.UTC(2026, 2, 1)),
    link: 'https://app.helpdesk.example/conversations/c1',
    thread: 'c1',
    place: 'support',
    role: 'customer',
  })
  expect(page?.items.map(({ role }) => role)).toEqual(['customer', 'agent', 'customer'])
})

it('reads only what changed since: edited messages with their version, and deletions', async () => {
  await using helpdesk = await startHelpdesk()
  fill(helpdesk)
  const cursor = (await drain(contextFor(helpdesk))).at(-1)?.cursor
  helpdesk.messages.edit('m1', 'The import fails')
  helpdesk.messages.remove('m3')
  const [page, ...others] = await drain(contextFor(helpdesk), cursor)
  expect(others).toEqual([])
  expect(page?.items).toMatchObject([{ externalId: 'm1', text: 'The import fails' }])
  expect(page?.items[0]?.version).toBe((helpdesk.messages.all()[0]?.updated ?? 0) * 1000)
  expect(page?.deleted).toEqual(['m3'])
})

it('reads the chosen inboxes only, and starts again when the choice changes', async () => {
  await using helpdesk = await startHelpdesk()
  fill(helpdesk)
  const sales = await drain(contextFor(helpdesk, { settings: { inboxes: ['sales'] } }))
  expect(idsIn(sales)).toEqual(['m3'])
  const both = contextFor(helpdesk, { settings: { inboxes: ['support', 'sales'] } })
  const all = await drain(both, sales.at(-1)?.cursor)
  expect(idsIn(all)).toEqual(['m1', 'm2', 'm3'])
  const same = { ...both, settings: { inboxes: ['sales', 'support'] } }
  expect(idsIn(await drain(same, all.at(-1)?.cursor))).toEqual([])
})

it('starts from the beginning with a cursor that cannot be parsed', async () => {
  await using helpdesk = await startHelpdesk()
  fill(helpdesk)
  expect(idsIn(await drain(contextFor(helpdesk), { version: 0, after: 17 }))).toHaveLength(3)
})

it('fails, and does not ask forever, when the feed does not advance', async () => {
  await using server = await startServer((_, response) => response.end('{"messages":[],"next":"here","has_more":true}'))
  await using helpdesk = await startHelpdesk()
  const error = await failureFrom(drain(contextFor(helpdesk, { baseUrl: server.url })))
  expect(error).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('does not advance') as string })
  expect(server.seen).toHaveLength(2)
})
