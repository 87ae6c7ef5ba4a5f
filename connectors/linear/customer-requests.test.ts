import { expect, it } from 'vitest'
import type { Quote } from '../kit/documents/insight-document.ts'
import type { RemoteItem } from '../tracker.ts'
import { choices } from './choices.ts'
import { opened, operations } from './testing.ts'
import { tracker } from './tracker.ts'

const CHOSEN = { customer_requests: ['known'] }

/** A workspace, and an insight that these companies asked for. */
async function askedBy(companies: string[], settings: Record<string, unknown> = CHOSEN) {
  const run = await opened(settings)
  const document = { ...run.document, companies }
  const customersOf = () => {
    const names = new Map(run.workspace.customers.map(({ id, name }) => [id, name]))
    return run.workspace.issues.flatMap(({ requests }) => requests.map(({ customerId }) => names.get(customerId)))
  }
  return {
    ...run,
    document,
    customersOf,
    create: () => tracker.create(run.context, { document, reopen: false }),
    createWith: (quote: Quote) =>
      tracker.create(run.context, { document: { ...document, quotes: [quote] }, reopen: false }),
    update: (remote: RemoteItem, more: string[] = companies) =>
      tracker.update(run.context, remote, { document: { ...document, companies: more }, reopen: false }),
  }
}

it('adds one for each company that Linear has as a customer, and creates no customer', async () => {
  await using run = await askedBy(['ACME', 'Unknown Ltd'])
  const before = run.workspace.customers.length
  await run.create()
  expect(run.customersOf()).toEqual(['Acme'])
  expect(run.workspace.customers).toHaveLength(before)
})

it('adds those of companies that wrote later, once', async () => {
  await using run = await askedBy(['Acme'])
  const remote = await run.create()
  const updated = await run.update(remote, ['Globex', 'Acme'])
  const calls = run.calls.length
  await run.update(updated, ['Globex', 'Acme'])
  expect(run.customersOf()).toEqual(['Acme', 'Globex'])
  expect(operations(run.calls.slice(calls))).not.toContain('CustomerNeedCreate')
})

it('adds nothing twice after what was remembered is lost', async () => {
  await using run = await askedBy(['Acme'])
  await run.create()
  const found = await tracker.find(run.context, run.document.marker)
  await run.update(found as RemoteItem)
  expect(run.customersOf()).toEqual(['Acme'])
})

it('leaves out a name that several customers have', async () => {
  await using run = await askedBy(['Initech'])
  await run.create()
  expect(run.customersOf()).toEqual([])
})

it('contains a link to the insight and no words of a customer', async () => {
  await using run = await askedBy(['Acme'])
  await run.createWith({ text: 'It stops', author: 'Anna', at: new Date(), source: 'Support', link: null })
  const body = run.workspace.issues[0]?.requests[0]?.body
  expect(body).toContain(run.document.link)
  expect(body).not.toMatch(/It stops|Anna/)
})

it.each([
  ['not chosen', ['Acme'], {}],
  ['chosen, and no company is known', [], CHOSEN],
])('asks for nothing where it is %s', async (_, companies, settings) => {
  await using run = await askedBy(companies, settings)
  await run.create()
  expect(operations(run.calls)).toEqual(['IssueCreate', 'AttachmentCreate'])
})

it('keeps an issue whose requests may not be added, and adds them with a later update', async () => {
  await using run = await askedBy(['Acme'])
  const scopes = run.signIns.keyScopes
  run.signIns.keyScopes = ['read', 'issues:create']
  const remote = await run.create()
  expect(run.customersOf()).toEqual([])
  expect(run.context.log.lines.join()).toContain('customer requests of an issue could not be added')
  expect(run.context.log.lines.join()).not.toContain('Acme')
  run.signIns.keyScopes = scopes
  await run.update(remote)
  expect(run.customersOf()).toEqual(['Acme'])
})

it('offers the choice', async () => {
  await using run = await askedBy([])

  const offered = await choices(run.context, { search: {} })
  expect(offered.find(({ field }) => field === 'customer_requests')?.options).toMatchObject([{ value: 'known' }])
})
