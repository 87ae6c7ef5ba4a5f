import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { check } from '../../helpscout/check.ts'
import { choices } from '../../helpscout/choices.ts'
import { handleEvent } from '../../helpscout/handle-event.ts'
import { oauth, refresh } from '../../helpscout/oauth.ts'
import { subscriptions } from '../../helpscout/subscriptions.ts'
import { contextFor, drain, madeUp, openHelpScout } from '../../helpscout/testing.ts'
import { startServer } from '../../kit/testing.ts'
import { loadCompany } from '../company/company.ts'
import { readDescription } from './description.ts'

/** A description of Help Scout's API, if someone keeps one beside the project; it is not part of it. Help Scout publishes none. */
function findDescription(): string | null {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    const file = path.join(folder, 'shared/specs/providers/helpscout.openapi.json')
    if (existsSync(file)) return file
    if (folder === path.dirname(folder)) return null
  }
}

const file = findDescription()
const said = file === null ? ' (not compared: there is no ../shared/specs/providers/helpscout.openapi.json here)' : ''
const read = () => (file === null ? null : readDescription(JSON.parse(readFileSync(file, 'utf8'))))

describe(`the description of Help Scout’s API${said}`, () => {
  it('describes every request that we make and every answer of the sandbox', async () => {
    const description = read()
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
    const address = new URL(oauth.authorizeUrl(start, app, { redirectUrl, state: 's' }))
    const body = new URLSearchParams([...address.searchParams, ['decision', 'allow']])
    const decided = await fetch(address.origin + address.pathname, { method: 'POST', body, redirect: 'manual' })
    const code = new URL(decided.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const signed = await oauth.exchange(start, app, { redirectUrl, code })
    const { secrets } = await refresh({ ...start, secrets: signed.secrets }, app)
    const context = { ...start, settings: signed.settings, secrets }
    await choices(context)
    const { items, incomplete } = await drain(context)
    expect(items.length).toBeGreaterThan(200)
    expect(incomplete).toBeNull()
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
        ...['token', 'me', 'mailboxes', 'conversations', 'threads', 'conversation'],
        ...['webhooks', 'create webhook', 'delete webhook'],
      ]),
    )
    const problems = calls.flatMap((call) => {
      if (!description) return []
      const name = `${call.method} ${call.template}`
      const found = [description.judgeCall(call), description.judgeAnswer(call)]
      return found.flatMap((list) => list ?? [`${name} is not described`])
    })
    expect([...new Set(problems)]).toEqual([])
  })

  it('describes the events that the sandbox sends', async () => {
    const description = read()
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
      ...[
        'convo.created',
        'convo.created',
        'convo.agent.reply.created',
        'convo.moved',
        'convo.merged',
        'convo.deleted',
      ],
    ])
    const bodies = server.seen.map(({ body }) => JSON.parse(body) as unknown)
    expect(bodies.at(-1)).toEqual({ id })
    expect(bodies.flatMap((body) => description?.judgeEvent('convo', body) ?? [])).toEqual([])
  })
})

describe('the comparison itself', () => {
  const item = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, due: { type: ['string', 'null'] } },
  }
  const content = { 'application/hal+json': { schema: { $ref: '#/components/schemas/Item' } } }
  const description = readDescription({
    paths: {
      '/items/{id}': {
        get: {
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
            { name: 'status', in: 'query', schema: { enum: ['all', 'open'] } },
            { name: 'from', in: 'query', required: true, schema: { type: 'integer', minimum: 1 } },
          ],
          responses: { '200': { content } },
        },
        post: { requestBody: { content }, responses: { '204': { description: 'nothing' } } },
      },
    },
    webhooks: { changed: { post: { requestBody: { content }, responses: {} } } },
    components: { schemas: { Item: item } },
  })
  const template = '/items/{id}'
  const get = 'GET /items/{id}'

  it.each([
    [{ from: '5', status: 'all' }, []],
    [{ status: 'all' }, [`${get} needs from`]],
    [{ from: '5', size: '1' }, [`${get} has no parameter size`]],
    [{ from: 'now' }, [`${get}: from must be integer`]],
    [{ from: '0' }, [`${get}: from must be >= 1`]],
    [{ from: '5', status: 'every' }, [`${get}: status must be equal to one of the allowed values`]],
  ])('judges the call %j', (query, problems) => {
    const call = { method: 'GET', template, query: query as Record<string, string>, json: null }
    expect(description.judgeCall(call)).toEqual(problems)
  })

  it.each([
    [200, { id: 1, due: null, more: true }, []],
    [200, { due: '' }, [`${get} 200 must have required property 'id'`]],
    [200, { id: 'x', due: 7 }, [`${get} 200/id must be integer`, `${get} 200/due must be string,null`]],
    [404, {}, [`${get} 404 is not described`]],
  ])('judges the answer %i %j', (status, answer, problems) => {
    expect(description.judgeAnswer({ method: 'GET', template, status, answer })).toEqual(problems)
  })

  it('judges bodies and events, and knows what it does not know', () => {
    const post = { method: 'POST', template, query: {} }
    const lacks = "request must have required property 'id'"
    expect(description.judgeCall({ ...post, json: { id: 1 } })).toEqual([])
    expect(description.judgeCall({ ...post, json: {} })).toEqual([`POST ${template} ${lacks}`])
    expect(description.judgeCall({ ...post, method: 'GET', query: { from: '1' }, json: {} })).toEqual([
      `${get} has no body`,
    ])
    expect(description.judgeAnswer({ ...post, status: 204, answer: null })).toEqual([])
    expect(description.judgeAnswer({ ...post, status: 204, answer: {} })).toEqual([`POST ${template} 204 has no body`])
    expect(description.judgeCall({ ...post, template: '/x', json: null })).toBeNull()
    expect(description.judgeAnswer({ ...post, template: '/x', status: 200, answer: null })).toBeNull()
    expect(description.judgeEvent('changed', { id: 1 })).toEqual([])
    expect(description.judgeEvent('changed', {})).toEqual(["event changed must have required property 'id'"])
    expect(description.judgeEvent('removed', {})).toBeNull()
  })
})
