import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { choices } from '../../clickup/choices.ts'
import { handleEvent } from '../../clickup/handle-event.ts'
import { oauth } from '../../clickup/oauth.ts'
import { subscriptions } from '../../clickup/subscriptions.ts'
import { contextFor, openClickUp } from '../../clickup/testing.ts'
import { tracker } from '../../clickup/tracker.ts'
import { documentFor } from '../../kit/testing.ts'
import { signIn } from '../../kit/worlds/sign-in.ts'
import { judgeCalls, NOT_COMPARED, officialDescription } from '../official.ts'
import { readDescription } from '../openapi.ts'
import type { Call } from './clickup.ts'

/** Calls of ClickUp's API that the description at hand was trimmed of. */
const OMITTED = ['PUT /v2/comment/{comment_id}']

/**
 * Where the description contradicts its own examples: folders are a list there, and a list's status and priority have to match one of
 * three schemas, the last of which allows everything.
 */
const KNOWN = [
  'GET /v2/space/{space_id}/folder 200/folders must be object,null',
  ...['GET /v2/space/{space_id}/list', 'GET /v2/folder/{folder_id}/list'].flatMap((call) =>
    ['status', 'priority'].flatMap((field) => [
      `${call} 200/lists/*/${field} must be object`,
      `${call} 200/lists/*/${field} must match exactly one schema in oneOf`,
    ]),
  ),
]

const LIST_TASKS = '/v2/list/{list_id}/task'

/** The description calls the parameter of a list's tasks `tags`, and sends it as `tags[]` in its example. */
function described(call: Call): Call {
  const names = Object.entries(call.query).map(([name, value]) =>
    call.template === LIST_TASKS && name === 'tags[]' ? (['tags', value] as const) : ([name, value] as const),
  )
  return { ...call, query: Object.fromEntries(names) }
}

describe('ClickUp’s official description', () => {
  it('describes every request that we make and every answer of the sandbox', async ({ skip }) => {
    await using clickup = await openClickUp()
    const { account, signIns } = clickup
    const severity = {
      id: randomUUID(),
      name: 'Severity',
      type: 'drop_down',
      required: true,
      options: [{ id: 'high' }],
    }
    const seen = { id: randomUUID(), name: 'Seen', type: 'date', required: true, taskTypes: [0] }
    account.list.fields.push(severity, seen)
    const app = { client_id: signIns.clientId, client_secret: signIns.clientSecret }
    const redirectUrl = 'https://feedback.example.com/api/clickup/callback'
    const { secrets } = await signIn({ oauth, context: contextFor(clickup, { secrets: {} }), app, redirectUrl })
    const context = contextFor(clickup, {
      secrets,
      settings: {
        status: ['triage'],
        priority: ['1'],
        assignee: ['4002'],
        tags: ['feedback'],
        [`field-option-${severity.id}`]: ['high'],
        [`field-date-${seen.id}`]: ['2026-03-01'],
      },
    })
    await choices(context, { search: { assignee: 'ada' } })
    const [folder] = account.space.folders
    await choices({ ...context, settings: { ...context.settings, folder: [folder?.id] } }, { search: {} })
    await tracker.verify(context)
    const document = documentFor(randomUUID())
    let remote = await tracker.create(context, { document, reopen: false })
    expect(await tracker.find(context, document.marker)).toMatchObject({ id: remote.id })
    expect(await tracker.find(context, randomUUID())).toBeNull()
    clickup.setStatus(remote.id, 'closed')
    remote = await tracker.update(context, remote, { document, reopen: false })
    for (let at = 0; at < 25; at += 1) account.task(remote.id).comments.push({ id: String(2000 + at), text: 'We know' })
    remote = await tracker.update(context, { ...remote, data: {} }, { document, reopen: false })
    account.task(remote.id).archived = true
    remote = await tracker.update(context, remote, { document, reopen: true })
    expect(await tracker.readStatus(context, [remote])).toMatchObject([{ state: 'open' }])
    await handleEvent(context, { kind: 'task', id: remote.id })
    const request = { url: 'https://feedback.example.com/api/clickup/events/key', secret: '', previous: null }
    const { state } = await subscriptions.ensure(context, request)
    await subscriptions.ensure(context, { ...request, previous: state })
    await subscriptions.remove(context, state)

    const calls = clickup.calls.filter(({ path }) => path.startsWith('/api/v2/'))
    expect(calls.filter(({ status }) => status !== 200)).toEqual([])
    expect([...new Set(calls.map(({ method, template }) => `${method} ${template}`))].toSorted()).toEqual([
      'DELETE /v2/webhook/{webhook_id}',
      'GET /v2/folder/{folder_id}/list',
      'GET /v2/list/{list_id}',
      'GET /v2/list/{list_id}/field',
      'GET /v2/list/{list_id}/task',
      'GET /v2/space/{space_id}/folder',
      'GET /v2/space/{space_id}/list',
      'GET /v2/task/{task_id}',
      'GET /v2/task/{task_id}/comment',
      'GET /v2/team',
      'GET /v2/team/{team_Id}/task',
      'GET /v2/team/{team_id}/space',
      'GET /v2/team/{team_id}/webhook',
      'GET /v2/user',
      'POST /v2/list/{list_id}/task',
      'POST /v2/oauth/token',
      'POST /v2/task/{task_id}/comment',
      'POST /v2/team/{team_id}/webhook',
      'PUT /v2/comment/{comment_id}',
      'PUT /v2/task/{task_id}',
    ])
    const description = officialDescription('clickup.openapi.json')
    if (!description) return skip(NOT_COMPARED)
    const { problems, omitted } = judgeCalls(description, calls.map(described))
    expect(problems.filter((problem) => !KNOWN.includes(problem))).toEqual([])
    expect(omitted).toEqual(OMITTED)
  })
})

it('notices a request and an answer that do not match', () => {
  const template = '/v2/task/{task_id}'
  const properties = { id: { type: ['integer', 'string', 'null'] } }
  const schema = { $ref: '#/components/schemas/Task' }
  const made = readDescription({
    paths: { [template]: { get: { responses: { '200': { content: { 'application/json': { schema } } } } } } },
    components: { schemas: { Task: { type: 'object', required: ['id'], properties } } },
  })
  const get = { method: 'GET', template }
  expect(made.judgeCall({ ...get, query: { page: '1' }, json: null })).toEqual([
    `GET ${template} has no parameter page`,
  ])
  expect(made.judgeAnswer({ ...get, status: 200, answer: { id: '86abc' } })).toEqual([])
  expect(made.judgeAnswer({ ...get, status: 200, answer: { id: true } })).toHaveLength(1)
  expect(made.judgeAnswer({ ...get, status: 200, answer: {} })).toHaveLength(1)
})
