import { describe, expect, it } from 'vitest'
import { failureFrom } from '../../kit/testing.ts'
import { choices } from '../../slack/choices.ts'
import { handleEvent } from '../../slack/handle-event.ts'
import { oauth } from '../../slack/oauth.ts'
import { poster } from '../../slack/poster.ts'
import { revoke } from '../../slack/revoke.ts'
import { drain, openSlack, postingIn, signedIn } from '../../slack/testing.ts'
import { loadCompany } from '../company/company.ts'
import { NOT_COMPARED, officialDescription } from '../official.ts'
import { readDescription } from './description.ts'

const description = officialDescription('slack.openapi.json', readDescription)

describe('Slack’s official description', () => {
  it('describes every request that we make and every answer of the sandbox', async ({ skip }) => {
    await using slack = await openSlack({ company: loadCompany() })
    slack.limit({ perMinute: null, objects: 50 })
    const context = await signedIn(slack)
    await choices(context)
    const { items } = await drain(context)
    expect(items.length).toBeGreaterThan(600)
    const channel = slack.workspace.room('beta-testers').id
    await handleEvent(context, { type: 'message', channel, user: 'U0NOBODY0', ts: '1772366400.000100', text: 'x' })
    await oauth.exchange(context, {}, { redirectUrl: 'http://a.example', code: 'x' }).catch(() => 'refused, but asked')
    const calls = slack.calls()
    const methods = new Set(calls.map(({ method }) => method))
    expect(methods.size).toBeGreaterThanOrEqual(8)
    const problems = new Set<string>()
    for (const { method, verb, values } of calls) {
      for (const problem of description?.judgeCall(method, verb, values) ?? []) problems.add(problem)
    }
    const headers = { authorization: `Bearer ${slack.botToken}` }
    for (const { method, values } of calls.filter(({ verb }) => verb === 'GET')) {
      const answer = await fetch(`${slack.url}/api/${method}?${new URLSearchParams(values).toString()}`, { headers })
      for (const problem of description?.judgeAnswer(method, await answer.json()) ?? []) problems.add(problem)
    }
    expect([...problems]).toEqual([])
    if (!description) return skip(NOT_COMPARED)
  })
})

it('describes revoking a token, and a message with everything that it can have', async ({ skip }) => {
  await using slack = await openSlack()
  slack.post({
    channel: 'room',
    author: 'Eve',
    text: 'New ticket',
    subtype: 'bot_message',
    bot: 'B0HELPDESK',
    team: 'T0CUSTOMER',
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'It broke' } }],
    attachments: [{ fallback: 'A ticket', fields: [{ title: 'Plan', value: 'Pro' }] }],
  })
  const context = await signedIn(slack)
  expect((await drain(context)).items.map(({ text }) => text)).toEqual(['It broke\nPlan: Pro'])
  await revoke({ ...context, settings: { ...context.settings, revocable: true } })
  expect(await failureFrom(drain(context))).toMatchObject({ kind: 'auth' })
  const calls = slack.calls()
  expect(calls.map(({ method }) => method)).toContain('auth.revoke')
  expect(calls.flatMap(({ method, verb, values }) => description?.judgeCall(method, verb, values) ?? [])).toEqual([])
  await using other = await openSlack()
  other.post({ channel: 'room', author: 'Eve', text: 'x', team: 'T0CUSTOMER', attachments: [{ fallback: 'y' }] })
  const channel = other.workspace.room('room').id
  const headers = { authorization: `Bearer ${other.botToken}` }
  for (const call of [`conversations.history?channel=${channel}`, 'auth.revoke?test=1', 'auth.revoke']) {
    const answer: unknown = await (await fetch(`${other.url}/api/${call}`, { headers })).json()
    expect(answer).toMatchObject({ ok: true })
    expect(description?.judgeAnswer(call.split('?')[0] ?? '', answer) ?? []).toEqual([])
  }
  if (!description) return skip(NOT_COMPARED)
})

it('describes signing in to post, and a message with a thread', async ({ skip }) => {
  await using slack = await openSlack()
  const root = slack.post({ channel: 'room', author: 'Eve', text: 'It fails' })
  slack.invitePoster('room')
  const context = await postingIn(slack)
  const channel = slack.workspace.room('room').id
  await poster.channels(context)
  for (const thread of [null, root]) {
    await poster.post(context, { id: 'one', channel, thread, lines: [{ parts: ['It is there'] }] })
  }
  const posts = slack.calls().filter(({ method }) => method === 'chat.postMessage')
  expect(posts).toHaveLength(2)
  expect(
    slack.calls().flatMap(({ method, verb, values }) => description?.judgeCall(method, verb, values) ?? []),
  ).toEqual([])
  const headers = { authorization: `Bearer ${context.secrets.bot_token}` }
  for (const { method, values } of posts) {
    const request = { method: 'POST', headers, body: new URLSearchParams(values) }
    const answer: unknown = await (await fetch(`${slack.url}/api/${method}`, request)).json()
    expect(answer).toMatchObject({ ok: true })
    expect(description?.judgeAnswer(method, answer) ?? []).toEqual([])
  }
  if (!description) return skip(NOT_COMPARED)
})

describe('the comparison itself', () => {
  const message = {
    type: 'object',
    required: ['ts'],
    additionalProperties: false,
    properties: {
      ts: { type: 'string', pattern: '^\\d+\\.\\d+$' },
      kind: { enum: ['message'] },
      n: { $ref: '#/components/n' },
    },
  }
  const description = readDescription({
    paths: {
      '/a.read': {
        get: {
          parameters: [
            { name: 'limit', schema: { type: 'integer' } },
            { name: 'all', schema: { type: 'boolean' } },
            { name: 'channel', required: true, schema: { type: 'string' } },
          ],
          responses: {
            '200': {
              content: {
                'application/json': {
                  schema: {
                    anyOf: [
                      {
                        type: 'object',
                        required: ['messages'],
                        properties: { messages: { type: 'array', items: message } },
                      },
                    ],
                  },
                },
              },
            },
          },
        },
      },
    },
    components: { n: { type: 'integer', nullable: true } },
  })

  it.each([
    [{ channel: 'C1', limit: '5', all: 'true' }, []],
    [{ limit: '5' }, ['GET /a.read needs channel']],
    [{ channel: 'C1', size: '5' }, ['GET /a.read has no parameter size']],
    [{ channel: 'C1', limit: 'many' }, ['GET /a.read: limit is no integer']],
    [{ channel: 'C1', all: 'maybe' }, ['GET /a.read: all is no boolean']],
  ])('judges the call %j', (values, problems) => {
    expect(description.judgeCall('a.read', 'GET', values)).toEqual(problems)
  })

  it.each([
    [{ messages: [{ ts: '1.2', kind: 'message', n: null }] }, []],
    [{}, [" must have required property 'messages'"]],
    [[], [' must be object']],
    [{ messages: [{}] }, ["/messages/* must have required property 'ts'"]],
    [{ messages: [{ ts: 'x' }] }, ['/messages/*/ts must match pattern "^\\d+\\.\\d+$"']],
    [{ messages: [{ ts: '1.2', more: 1 }] }, ['/messages/* must NOT have additional properties']],
    [{ messages: [{ ts: '1.2', kind: 'x' }] }, ['/messages/*/kind must be equal to one of the allowed values']],
    [{ messages: [{ ts: '1.2', n: 1.5 }] }, ['/messages/*/n must be integer']],
  ])('judges the answer %j', (answer, problems) => {
    const found = description.judgeAnswer('a.read', answer).map((problem) => problem.replace('GET /a.read 200', ''))
    expect(found.filter((problem) => !problem.endsWith('in anyOf'))).toEqual(problems)
  })

  it('knows what it does not know', () => {
    expect(description.judgeCall('b', 'GET', {})).toEqual(['b is not described'])
    expect(description.judgeAnswer('b', {})).toEqual(['b is not described'])
  })
})
