import { describe, expect, it } from 'vitest'
import { choices } from '../../intercom/choices.ts'
import { handleEvent } from '../../intercom/handle-event.ts'
import { oauth } from '../../intercom/oauth.ts'
import { revoke } from '../../intercom/revoke.ts'
import { contextFor, drain, madeUp, openIntercom } from '../../intercom/testing.ts'
import { signIn } from '../../kit/worlds/sign-in.ts'
import { loadCompany } from '../company/company.ts'
import { judgeCalls, NOT_COMPARED, officialText } from '../official.ts'
import { readDescription } from '../openapi.ts'

/** Signing in is documented elsewhere than in the description. */
const OMITTED = ['POST /auth/eagle/token', 'POST /auth/uninstall']

describe('Intercom’s official description', () => {
  it('describes every request that we make and every answer of the sandbox', async ({ skip }) => {
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
      ticket: { category: 'Customer', attributes: { _default_title_: 'Fire', _default_description_: 'It burns' } },
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
    const start = contextFor(intercom, { secrets: {} })
    const redirectUrl = 'https://fb.example/api/intercom/oauth'
    const { settings, secrets } = await signIn({ oauth, context: start, app, redirectUrl })
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
    const text = officialText('intercom.openapi.json')
    if (text === null) return skip(NOT_COMPARED)
    const described = JSON.parse(text) as { info: { version: string } }
    const { problems, omitted } = judgeCalls(
      readDescription(described),
      calls.map((call) => ({ ...call, query: {} })),
    )
    expect(problems).toEqual([])
    expect(new Set(calls.map(({ version }) => version))).toEqual(new Set([described.info.version]))
    expect(omitted).toEqual(OMITTED)
  })
})

describe('the comparison itself', () => {
  const template = '/conversations/{id}'
  const description = readDescription({
    paths: {
      [template]: {
        get: {
          responses: {
            '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/thread' } } } },
          },
        },
      },
    },
    components: {
      schemas: {
        tag: { type: 'object', properties: { name: { type: 'string' } } },
        thread: {
          type: 'object',
          required: ['id'],
          properties: {
            id: { type: 'integer' },
            state: { type: 'string', nullable: true },
            tag: { nullable: true, allOf: [{ $ref: '#/components/schemas/tag' }] },
            nullable: { type: 'boolean' },
          },
        },
      },
    },
  })
  const judge = (answer: unknown) => description.judgeAnswer({ method: 'GET', template, status: 200, answer })

  it.each([
    { id: 1, state: null, tag: null },
    { id: 1, state: 'open', tag: { name: 'a' }, nullable: true },
  ])('accepts null and the described values where null is allowed: %j', (answer) => {
    expect(judge(answer)).toEqual([])
  })

  it.each([
    [{ id: 1, state: 7 }, `GET ${template} 200/state must be string`],
    [{ id: 1, tag: { name: 7 } }, `GET ${template} 200/tag/name must be string`],
    [{ id: 1, nullable: 'x' }, `GET ${template} 200/nullable must be boolean`],
    [{ id: null }, `GET ${template} 200/id must be integer`],
  ])('names what is wrong, also where null is allowed: %j', (answer, problem) => {
    expect(judge(answer)).toContain(problem)
  })
})
