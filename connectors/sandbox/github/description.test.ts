import { describe, expect, it } from 'vitest'
import { check } from '../../github/check.ts'
import { choices } from '../../github/choices.ts'
import { revoke } from '../../github/installation.ts'
import { oauth } from '../../github/oauth.ts'
import { opened, REDIRECT, subscribed } from '../../github/testing.ts'
import { tracker } from '../../github/tracker.ts'
import { documentFor, failureFrom } from '../../kit/testing.ts'
import { judgeCalls, NOT_COMPARED, officialDescription } from '../official.ts'
import { readGitHubDescription } from './description.ts'

const description = officialDescription('github.openapi.json', readGitHubDescription)

/** What the description at hand was trimmed of: where redirects lead to, and the end of a token. */
const OMITTED = ['DELETE /installation/token', 'GET by id']

/**
 * Verifying asks for an issue without a title, which must not be created. A list of a repository whose issues are switched off is refused
 * like the rest, which the description leaves out.
 */
const KNOWN = [
  "POST /repos/{owner}/{repo}/issues request must have required property 'title'",
  'GET /repos/{owner}/{repo}/issues 410 is not described',
]

/** Everything that the connector does with a token, with GitHub's refusals. */
async function everythingByToken() {
  await using run = await opened({ settings: { assignee: ['ben'] } })
  await check(run.context)
  await choices(run.context, { search: { repository: 'acme/website' } })
  let remote = await run.create()
  const others = [await run.create(), await run.create(), await run.create()]
  await tracker.find(run.context, run.document.marker)
  await tracker.verify(run.context)
  run.setState(remote.id, 'closed', 'not_planned')
  remote = await run.update(await run.update({ ...(await run.update(remote)), data: remote.data }))
  remote = await run.update(remote, true)
  run.remove(others[0]?.id ?? '')
  await tracker.readStatus(run.context, others)
  run.transfer(remote.id, run.hub.addRepository('acme', 'app'))
  await tracker.readStatus(run.context, [remote])
  await run.update(remote)
  for (const state of [{ archived: true }, { archived: false, hasIssues: false }, { hidden: true }]) {
    Object.assign(run.support, state)
    await failureFrom(run.create())
    await tracker.readStatus(run.context, others).catch(() => [])
    await failureFrom(tracker.update(run.context, others[1] ?? remote, { document: run.document, reopen: false }))
  }
  Object.assign(run.support, { hasIssues: true, hidden: false })
  await failureFrom(
    tracker.create(
      { ...run.context, settings: { ...run.context.settings, assignee: ['zoe'] } },
      { document: documentFor('m'), reopen: false },
    ),
  )
  run.limits.secondary(60)
  await failureFrom(run.create())
  run.signIns.end()
  await failureFrom(check(run.context))
  return run.calls
}

/** Everything that it does as an installation, and what GitHub sends to its webhook. */
async function everythingByApp() {
  await using run = await subscribed()
  const query = { code: run.signIns.approve('ann'), installation_id: String(run.installation.id) }
  const start = { ...run.context, settings: {}, secrets: {} }
  const { secrets } = await oauth.exchange(start, run.app, { redirectUrl: REDIRECT, code: query.code, query })
  const context = { ...run.context, secrets }
  await choices(context, { search: {} })
  const { id } = await run.create()
  await tracker.verify(context)
  run.setState(id, 'closed', 'completed')
  run.setState(id, 'open', 'reopened')
  const moved = run.transfer(id, run.hub.addRepository('acme', 'app'))
  run.remove(String(moved.id))
  run.webhooks.ping()
  run.installation.suspended = true
  await failureFrom(tracker.verify(context))
  run.installation.suspended = false
  await revoke(context)
  run.uninstall(run.installation)
  await run.webhooks.settled()
  expect(run.refused).toEqual([])
  return { calls: run.calls, sent: run.webhooks.sent }
}

describe('GitHub’s official description', () => {
  it('describes every request that we make and every answer of the sandbox', async ({ skip }) => {
    const calls = [...(await everythingByToken()), ...(await everythingByApp()).calls]
    expect(new Set(calls.map(({ status }) => status))).toEqual(new Set([200, 201, 204, 301, 401, 403, 404, 410, 422]))
    if (!description) return skip(NOT_COMPARED)
    const named = calls.map((call) => ({ ...call, template: call.template || 'by id' }))
    const { problems, omitted } = judgeCalls(description, named)
    expect(problems).toEqual(KNOWN)
    expect(omitted).toEqual(OMITTED)
  })

  it('describes every event that the sandbox sends', async ({ skip }) => {
    const { sent } = await everythingByApp()
    const names = sent.map(({ event, body }) => (event === 'ping' ? event : `${event}-${String(body['action'])}`))
    expect(names).toEqual([
      'issues-closed',
      'issues-reopened',
      'issues-transferred',
      'issues-deleted',
      'ping',
      'installation-deleted',
    ])
    if (!description) return skip(NOT_COMPARED)
    for (const [at, { body }] of sent.entries()) {
      expect(description.judgeEvent(names[at] ?? '', body)).toEqual([])
    }
  })
})

describe('the comparison itself', () => {
  const thing = {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'integer' },
      reason: { type: 'string', nullable: true, enum: ['done'] },
      owner: { nullable: true, anyOf: [{ type: 'string' }] },
    },
  }
  const schema = { $ref: '#/components/schemas/Thing' }
  const json = { 'application/json': { schema } }
  const things = readGitHubDescription({
    paths: {
      '/things': {
        get: { responses: { '200': { content: json }, '404': { $ref: '#/components/responses/missing' } } },
      },
    },
    'x-webhooks': { 'thing-made': { post: { requestBody: { content: json } } } },
    components: {
      parameters: {},
      schemas: { Thing: thing, Error: { type: 'object', required: ['message'] } },
      responses: { missing: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } } },
    },
  })
  const judge = (status: number, answer: unknown) =>
    things.judgeAnswer({ method: 'GET', template: '/things', status, answer })

  it.each([
    [200, { id: 1, reason: 'done', owner: 'x' }, true],
    [200, { id: 1, reason: null, owner: null }, true],
    [200, { id: 1, reason: 'other' }, false],
    [200, { id: 1, owner: 7 }, false],
    [200, { reason: null }, false],
    [404, { message: 'Not Found' }, true],
    [404, {}, false],
    [410, {}, false],
  ])('judges whether the answer %i %j is described: %s', (status, answer, isDescribed) => {
    expect(judge(status, answer)?.length === 0).toBe(isDescribed)
  })

  it('judges events, and refuses those that are not described', () => {
    expect(things.judgeEvent('thing-made', { id: 1 })).toEqual([])
    expect(things.judgeEvent('thing-made', {})).toEqual(["thing-made must have required property 'id'"])
    expect(things.judgeEvent('other', {})).toEqual(['other is not described'])
  })
})
