import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { choices } from '../../intercom/choices.ts'
import { handleEvent } from '../../intercom/handle-event.ts'
import { oauth } from '../../intercom/oauth.ts'
import { revoke } from '../../intercom/revoke.ts'
import { contextFor, drain, madeUp, openIntercom } from '../../intercom/testing.ts'
import { loadCompany } from '../company/company.ts'
import { readDescription } from './description.ts'

/** Intercom's official description, if someone keeps it beside the project; it is not part of it. */
function findDescription(): string | null {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    const file = path.join(folder, 'shared/specs/providers/intercom.openapi.json')
    if (existsSync(file)) return file
    if (folder === path.dirname(folder)) return null
  }
}

const file = findDescription()
const said = file === null ? ' (not compared: there is no ../shared/specs/providers/intercom.openapi.json here)' : ''

/** Signing in is documented elsewhere than in the description. */
const OMITTED = ['POST /auth/eagle/token', 'POST /auth/uninstall']

describe(`Intercom’s official description${said}`, () => {
  it('describes every request that we make and every answer of the sandbox', async () => {
    const description = file === null ? null : readDescription(JSON.parse(readFileSync(file, 'utf8')))
    await using intercom = await openIntercom({ company: loadCompany() })
    intercom.keepBodies(true)
    intercom.open({
      ...madeUp('full', 30),
      title: 'A title',
      company: 'Acme',
      team: 'Support',
      tags: ['bug'],
      topics: ['Fire'],
      channel: 'email',
      attributes: { Plan: 'pro', Seats: 9 },
    })
    const answered = intercom.open({
      messages: [
        { author: 'Lea', as: 'lead', text: 'It burns', attachments: ['a.png'] },
        { author: 'Agent Ash', as: 'admin', type: 'note', text: 'internal' },
        { author: 'Fin', as: 'bot', text: 'Hello' },
      ],
    })
    intercom.redact(answered, null, null)
    const gone = intercom.open(madeUp('gone', 1))
    const app = { client_id: intercom.clientId, client_secret: intercom.clientSecret }
    const redirectUrl = 'https://fb.example/api/intercom/oauth'
    const start = contextFor(intercom, { secrets: {} })
    const query = new URL(oauth.authorizeUrl(start, app, { redirectUrl, state: 's' })).searchParams
    const decided = await fetch(`${intercom.url}/oauth`, {
      method: 'POST',
      body: new URLSearchParams([...query, ['decision', 'allow']]),
      redirect: 'manual',
    })
    const code = new URL(decided.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const { settings, secrets } = await oauth.exchange(start, app, { redirectUrl, code })
    const context = { ...start, settings, secrets }
    await choices(context)
    const { items, incomplete } = await drain(context)
    expect(items.length).toBeGreaterThan(180)
    expect(incomplete).toBeNull()
    intercom.remove(gone)
    for (const conversation of [answered, gone]) {
      await handleEvent(context, { topic: 'conversation.user.replied', conversation })
    }
    await revoke(context)

    const calls = intercom.calls()
    expect(new Set(calls.map(({ status }) => status))).toEqual(new Set([200, 404]))
    expect([...new Set(calls.map(({ name }) => name))].toSorted()).toEqual([
      'conversation',
      'grant',
      'me',
      'search',
      'tags',
      'teams',
      'uninstall',
    ])
    const problems = new Set<string>()
    const omitted = new Set<string>()
    for (const call of calls) {
      const found = [description?.judgeCall(call), description?.judgeAnswer(call)]
      if (description && found[0] === null) omitted.add(`${call.method} ${call.template}`)
      for (const problem of found.flatMap((list) => list ?? [])) problems.add(problem)
    }
    expect([...problems]).toEqual([])
    expect(description === null ? OMITTED : [...omitted].toSorted()).toEqual(OMITTED)
  })
})

describe('the comparison itself', () => {
  const version = { name: 'Intercom-Version', in: 'header', schema: { $ref: '#/components/schemas/version' } }
  const description = readDescription({
    paths: {
      '/tickets/{id}': {
        get: {
          parameters: [version],
          responses: {
            '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/ticket' } } } },
          },
        },
        post: {
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/ticket' } } } },
          responses: { '204': { description: 'nothing' } },
        },
      },
    },
    components: {
      schemas: {
        version: { type: 'string', enum: ['2.14'], example: '2.14' },
        tag: { type: 'object', properties: { name: { type: 'string' } } },
        ticket: {
          type: 'object',
          required: ['id'],
          properties: {
            id: { type: 'integer' },
            due: { type: 'string', nullable: true },
            tag: { nullable: true, allOf: [{ $ref: '#/components/schemas/tag' }] },
            nullable: { type: 'boolean' },
          },
        },
      },
    },
  })
  const template = '/tickets/{id}'
  const get = 'GET /tickets/{id}'
  const call = { method: 'GET', template, version: '2.14', json: null }

  it('judges versions and bodies of calls', () => {
    expect(description.judgeCall(call)).toEqual([])
    expect(description.judgeCall({ ...call, version: '2.99' })).toEqual([
      `${get} version must be equal to one of the allowed values`,
    ])
    expect(description.judgeCall({ ...call, json: {} })).toEqual([`${get} has no body`])
    expect(description.judgeCall({ ...call, method: 'POST', json: { id: 1 } })).toEqual([])
    expect(description.judgeCall({ ...call, method: 'POST', json: {} })).toEqual([
      `POST ${template} request must have required property 'id'`,
    ])
    expect(description.judgeCall({ ...call, template: '/x' })).toBeNull()
  })

  it.each([
    [200, { id: 1, due: null, tag: null, more: true }, 0],
    [200, { id: 1, due: 'now', tag: { name: 'a' }, nullable: true }, 0],
    [200, { due: '' }, 1],
    [200, { id: 'x' }, 1],
    [200, { id: 1, nullable: 'x' }, 1],
    [404, {}, 1],
  ])('judges the answer %i %j', (status, answer, problems) => {
    expect(description.judgeAnswer({ method: 'GET', template, status, answer })).toHaveLength(problems)
  })

  it('finds what is wrong in parts that may be null', () => {
    const answer = { id: 1, due: 7, tag: { name: 7 } }
    const found = description.judgeAnswer({ method: 'GET', template, status: 200, answer })
    expect(found).toContain(`${get} 200/due must be string`)
    expect(found).toContain(`${get} 200/tag/name must be string`)
  })

  it('knows responses without a body, and what it does not know', () => {
    const posted = { method: 'POST', template, status: 204 }
    expect(description.judgeAnswer({ ...posted, answer: null })).toEqual([])
    expect(description.judgeAnswer({ ...posted, answer: {} })).toEqual([`POST ${template} 204 has no body`])
    expect(description.judgeAnswer({ ...posted, template: '/x', answer: null })).toBeNull()
  })
})
