import { describe, expect, it } from 'vitest'
import { check } from '../../helpscout/check.ts'
import { choices } from '../../helpscout/choices.ts'
import { handleEvent } from '../../helpscout/handle-event.ts'
import { oauth, refresh } from '../../helpscout/oauth.ts'
import { subscriptions } from '../../helpscout/subscriptions.ts'
import { contextFor, drain, madeUp, openHelpScout } from '../../helpscout/testing.ts'
import { startServer } from '../../kit/testing.ts'
import { signIn } from '../../kit/worlds/sign-in.ts'
import { loadCompany } from '../company/company.ts'
import { judgeCalls, NOT_COMPARED, officialDescription } from '../official.ts'
import { readDescription } from '../openapi.ts'

/** A description of Help Scout's API, written from its documentation: Help Scout publishes none. */
const description = officialDescription('helpscout.openapi.json')
/** Its webhooks are described like paths. */
const events = officialDescription('helpscout.openapi.json', (value) => {
  const document = value as { webhooks: unknown }
  return readDescription({ ...document, paths: document.webhooks })
})

describe('the description of Help Scout’s API', () => {
  it('describes every request that we make and every answer of the sandbox', async ({ skip }) => {
    const redirectUrl = 'https://fb.example/api/helpscout/oauth'
    await using sandbox = await openHelpScout({ company: loadCompany(), redirectUrl })
    sandbox.keepBodies(true)
    const agent = { author: 'Agent Ash', as: 'user' } as const
    const id = sandbox.open({ ...madeUp('long', 60), tags: ['vip'], fields: [{ id: 1, name: 'Plan', value: 'Pro' }] })
    sandbox.write(id, { ...agent, text: 'a note', type: 'note' })
    sandbox.write(id, { ...agent, text: 'a draft', state: 'draft', attachments: ['crash.log'] })
    const merged = sandbox.open(madeUp('merged', 1))
    sandbox.merge(merged, id)
    const form = await check(contextFor(sandbox))
    await refresh({ ...contextFor(sandbox), secrets: form.secrets }, null)
    const app = { client_id: sandbox.clientId, client_secret: sandbox.clientSecret }
    const start = contextFor(sandbox, { secrets: {}, settings: { app_id: undefined } })
    const signed = await signIn({ oauth, context: start, app, redirectUrl })
    const { secrets } = await refresh({ ...start, secrets: signed.secrets }, app)
    const context = { ...start, settings: signed.settings, secrets }
    await choices(context)
    const { items, incomplete, cursor } = await drain(context)
    expect(items.length).toBeGreaterThan(200)
    expect(incomplete).toBeNull()
    // The daily sweep, counted from the second round.
    const second = await drain(context, cursor)
    await drain({ ...context, now: () => new Date(Date.now() + 90_000_000) }, second.cursor)
    expect(sandbox.calls().filter(({ query }) => query.sortOrder === 'desc').length).toBeGreaterThan(0)
    const inboxes = [String(sandbox.account.inboxes[0]?.id)]
    await drain({ ...context, settings: { ...signed.settings, inboxes } })
    await handleEvent(context, { type: 'convo.merged', conversation: merged })
    const previous = await subscriptions.ensure(context, { url: `${sandbox.url}/k`, secret: 's', previous: null })
    const { state } = await subscriptions.ensure(context, {
      url: `${sandbox.url}/k`,
      secret: 't',
      previous: previous.state,
    })
    await subscriptions.remove(context, state)

    const calls = sandbox.calls()
    expect(calls.every(({ status }) => status < 400)).toBe(true)
    expect(new Set(calls.map(({ name }) => name))).toEqual(
      new Set([
        'token',
        'me',
        'mailboxes',
        'conversations',
        'threads',
        'conversation',
        'webhooks',
        'create webhook',
        'delete webhook',
      ]),
    )
    if (!description) return skip(NOT_COMPARED)
    expect(judgeCalls(description, calls)).toEqual({ problems: [], omitted: [] })
  })

  it('describes the events that the sandbox sends', async ({ skip }) => {
    await using sandbox = await openHelpScout()
    await using server = await startServer()
    const signed = await check(contextFor(sandbox))
    const context = { ...contextFor(sandbox), ...signed }
    await subscriptions.ensure(context, { url: server.url, secret: 's', previous: null })
    const id = sandbox.open(madeUp('a', 1))
    const other = sandbox.open(madeUp('b', 1))
    sandbox.write(id, { author: 'Agent Ash', as: 'user', text: 'x' })
    sandbox.move(id, 'Billing')
    sandbox.merge(other, id)
    sandbox.remove(id)
    await sandbox.webhooks.settled()
    expect(server.seen.map(({ headers }) => headers['x-helpscout-event'])).toEqual([
      'convo.created',
      'convo.created',
      'convo.agent.reply.created',
      'convo.moved',
      'convo.merged',
      'convo.deleted',
    ])
    const bodies = server.seen.map(({ body }) => JSON.parse(body) as unknown)
    expect(bodies.at(-1)).toEqual({ id })
    if (!events) return skip(NOT_COMPARED)
    const judged = bodies.map((json) => events.judgeCall({ method: 'POST', template: 'convo', query: {}, json }))
    expect(judged).toEqual(bodies.map(() => []))
  })
})

describe('the comparison itself', () => {
  const item = { type: 'object', required: ['id'], properties: { id: { type: ['integer', 'null'] } } }
  const schema = { $ref: '#/components/schemas/Item' }
  const parameters = [{ name: 'status', in: 'query', schema: { enum: ['all', 'open'] } }]
  const description = readDescription({
    paths: {
      '/items': {
        get: { parameters, responses: { '200': { content: { 'application/hal+json': { schema } } } } },
        post: { requestBody: { content: { 'application/x-www-form-urlencoded': { schema } } }, responses: {} },
      },
    },
    components: { schemas: { Item: item } },
  })
  const get = { method: 'GET', template: '/items' }
  const lacks = "must have required property 'id'"

  it('judges HAL and forms', () => {
    expect(description.judgeAnswer({ ...get, status: 200, answer: { id: null } })).toEqual([])
    expect(description.judgeAnswer({ ...get, status: 200, answer: {} })).toEqual([`GET /items 200 ${lacks}`])
    const post = { ...get, method: 'POST', query: {} }
    expect(description.judgeCall({ ...post, json: { id: 1 } })).toEqual([])
    expect(description.judgeCall({ ...post, json: {} })).toEqual([`POST /items request ${lacks}`])
  })

  it('judges the values of parameters', () => {
    const judge = (status: string) => description.judgeCall({ ...get, query: { status }, json: null })
    expect(judge('all')).toEqual([])
    expect(judge('every')).toEqual(['GET /items: status is not one of its values'])
  })
})
