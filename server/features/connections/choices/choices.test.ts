import { randomUUID } from 'node:crypto'
import { connectorById } from '@groundswell/connectors/index.ts'
import {
  type Pinboard,
  pinboardConnector,
  replaceConnector,
  startPinboard,
} from '@groundswell/connectors/sandbox/index.ts'
import type { ChoiceView } from '@groundswell/contract/sources.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authenticate } from '../../../auth/index.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { type TestApp, type TestPerson, testApp } from '../../../platform/http/testing.ts'
import { accountRoutes } from '../../accounts/index.ts'
import { requestSync, syncsView } from '../../syncs/index.ts'
import { liveConnections } from '../live.ts'
import { connectionRoutes } from '../routes.ts'

const ID = 'linear'
let test: TestApp
let board: Pinboard
let restoreConnector: () => void
let ann: TestPerson
const begun: string[] = []

beforeAll(async () => {
  const connector = connectorById(ID)
  if (!connector) throw new Error('the connector is missing')
  restoreConnector = replaceConnector(connector, pinboardConnector(ID, 'destination'))
  board = await startPinboard()
  test = await testApp(
    (services) => ({
      handlers: [
        ...accountRoutes(services),
        ...connectionRoutes(services, {
          syncs: syncsView,
          sourceReady: async (tx, { workspaceId, connectionId }) => {
            await requestSync(services)(tx, workspaceId, connectionId)
          },
          destinationReady: async (_tx, { connectionId }) => void begun.push(connectionId),
        }),
      ],
      authenticate: authenticate(services),
    }),
    { allowPrivateAddresses: ['127.0.0.1'], baseUrls: { [ID]: board.url } },
  )
})
afterAll(async () => {
  restoreConnector()
  await board.stop()
  await test.cleanup()
})
beforeEach(async () => {
  ann = await test.person(randomUUID())
  begun.length = 0
  board.requests.length = 0
  board.refusal = null
  await connect()
})

const connect = (token = board.token) => test.call('POST', `/api/${ID}/add`, { as: ann, payload: { token } })
const address = (queries: Record<string, unknown>) => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(queries)) query.set(name, JSON.stringify(value))
  return `/api/${ID}/choices?${query.toString()}`
}
const get = async (queries: Record<string, unknown> = {}) =>
  (await test.call('GET', address(queries), { as: ann })).json<{ choices: ChoiceView[] }>().choices
const put = (payload: object, queries: Record<string, unknown> = {}) =>
  test.call('PUT', address(queries), { as: ann, payload })
const fieldsOf = (choices: readonly ChoiceView[]) => choices.map(({ field }) => field)
const tile = async () => {
  const { connectors } = (await test.call('GET', '/api/connectors', { as: ann })).json()
  return connectors.find(({ manifest }: { manifest: { id: string } }) => manifest.id === ID).connection
}
const stored = async () => {
  const [connection] = await inWorkspace(test.services.db, ann.workspaceId, (tx) =>
    liveConnections(tx, ann.workspaceId),
  )
  return connection?.settings
}
const complete = { project: ['P1'], kind: ['K1'] }

describe('the choices of a connection', () => {
  it('describe themselves, and one that depends on another is returned once that one is drafted', async () => {
    const choices = await get()
    expect(fieldsOf(choices)).toEqual(['project', 'tags', 'prefix', 'since'])
    expect(choices[0]).toMatchObject({ label: 'Project', single: true, required: true, chosen: [] })
    expect(choices[2]).toMatchObject({ kind: 'text', options: [] })
    const drafted = await get({ draft: { project: ['P1'] } })
    expect(fieldsOf(drafted)).toEqual(['project', 'kind', 'watchers', 'tags', 'prefix', 'since'])
    expect(drafted[1]).toMatchObject({ depends_on: ['project'], options: [{ value: 'K1' }, { value: 'K2' }] })
    expect(drafted[0]?.chosen).toEqual(['P1'])
    expect(await stored()).toEqual({ team: 'Tallybrook' })
  })

  it('leave out drafted values that another draft no longer offers', async () => {
    const choices = await get({ draft: { project: ['P2'], kind: ['K1'] } })
    expect(choices.find(({ field }) => field === 'kind')?.chosen).toEqual([])
  })

  it('are searched by what was typed', async () => {
    const watchers = (choices: ChoiceView[]) => choices.find(({ field }) => field === 'watchers')?.options
    const draft = { project: ['P1'] }
    expect(watchers(await get({ draft }))).toHaveLength(3)
    expect(watchers(await get({ draft, search: { watchers: ['kim'] } }))).toEqual([
      { value: 'u-kim-lee', label: 'Kim Lee' },
    ])
  })

  it.each([
    ['{"project":"P1"}', 'a text for a list'],
    ['[["P1"]]', 'a list for an object'],
    ['{', 'no JSON'],
    [JSON.stringify({ project: ['x'.repeat(501)] }), 'a long value'],
    [JSON.stringify(Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`f${at}`, []]))), 'many fields'],
    [JSON.stringify({ token: ['other'] }), 'a field of the form'],
    [JSON.stringify({ team: ['Evil'] }), 'a setting of the sign-in'],
    ['x'.repeat(5001), 'a long draft'],
  ])('refuse a malformed draft: %#, %s', async (draft) => {
    const url = `/api/${ID}/choices?${new URLSearchParams({ draft }).toString()}`
    const answer = await test.call('GET', url, { as: ann })
    expect(answer.json()).toMatchObject({ code: 'invalid_input' })
    expect(board.requests).toEqual(['/me'])
  })

  it('give the provider’s reason when it refuses to list them', async () => {
    board.refusal = 'Your plan has no API'
    const answer = await test.call('GET', `/api/${ID}/choices`, { as: ann })
    expect(answer.json()).toMatchObject({
      code: 'provider_refused',
      message: expect.stringContaining('Your plan has no API'),
    })
  })
})

describe('saving choices', () => {
  it('makes the connection ready, begins it once, and stores the labels for the tile', async () => {
    expect(await tile()).toMatchObject({ status: 'connected', ready: false, chosen: [] })
    expect(begun).toEqual([])
    const saved = await put({ ...complete, tags: ['urgent', 'feedback'], prefix: [' [App] '], since: ['2026-02-28'] })
    expect(saved.json()).toEqual({ message: 'Saved.' })
    const requests = board.requests.length
    expect(await tile()).toMatchObject({
      status: 'connected',
      ready: true,
      chosen: [
        { label: 'Project', values: ['Mobile app'], more: 0 },
        { label: 'Card type', values: ['Bug'], more: 0 },
        { label: 'Tags', values: ['urgent', 'feedback'], more: 0 },
        { label: 'Title prefix', values: ['[App]'], more: 0 },
        { label: 'Start date', values: ['2026-02-28'], more: 0 },
      ],
    })
    expect(board.requests).toHaveLength(requests)
    expect(begun).toHaveLength(1)
    await put({ tags: [] })
    expect(begun).toHaveLength(1)
  })

  it('removes what is no longer offered for the new values', async () => {
    await put({ ...complete, watchers: ['u-ada-byron'], tags: ['urgent'] })
    const refused = await put({ project: ['P2'] })
    expect(refused.json()).toMatchObject({ code: 'invalid_input', fields: { 'body.kind': 'Choose one' } })
    expect(await stored()).toMatchObject({ project: ['P1'], kind: ['K1'], watchers: ['u-ada-byron'] })
    expect((await put({ project: ['P2'], kind: ['K9'] })).statusCode).toBe(200)
    expect(await stored()).toMatchObject({ project: ['P2'], kind: ['K9'], watchers: [], tags: ['urgent'] })
  })

  it('removes a field that is not returned any more', async () => {
    await put(complete)
    const connector = connectorById(ID)
    if (!connector) throw new Error('the connector is missing')
    const { choices } = connector
    try {
      connector.choices = async () => [
        { field: 'list', label: 'List', help: '', options: [{ value: 'L', label: 'L' }] },
      ]
      expect((await put({ list: ['L'] })).statusCode).toBe(200)
    } finally {
      if (choices) connector.choices = choices
    }
    expect(await stored()).toEqual({ team: 'Tallybrook', list: ['L'] })
    expect((await tile()).chosen).toEqual([{ label: 'List', values: ['L'], more: 0 }])
  })

  it('names what the provider offers without control characters, and stores its value as it is', async () => {
    const connector = connectorById(ID)
    if (!connector) throw new Error('the connector is missing')
    const { choices } = connector
    try {
      connector.choices = async () => [
        { field: 'list', label: 'Li\u202est', help: '', options: [{ value: 'L\n', label: 'Ours\n\u0007' }] },
      ]
      expect(await get()).toMatchObject([{ label: 'List', options: [{ value: 'L\n', label: 'Ours' }] }])
      expect((await put({ list: ['L\n'] })).statusCode).toBe(200)
    } finally {
      if (choices) connector.choices = choices
    }
    expect(await stored()).toMatchObject({ list: ['L\n'] })
    expect((await tile()).chosen).toEqual([{ label: 'List', values: ['Ours'], more: 0 }])
  })

  it.each([
    [{ ...complete, colour: ['red'] }, 'colour', 'There is no such choice'],
    [{ token: ['x'] }, 'token', 'There is no such choice'],
    [{ team: ['x'] }, 'team', 'There is no such choice'],
    [{ project: ['P7'] }, 'project', '“P7” is not available'],
    [{ project: ['P1'], kind: ['K9'] }, 'kind', '“K9” is not available'],
    [{ project: ['P1', 'P2'] }, 'project', 'Only one can be chosen'],
    [{ project: [], tags: ['urgent'] }, 'project', 'Choose one'],
    [{ project: ['P1'] }, 'kind', 'Choose one'],
    [
      { ...complete, tags: ['urgent', 'feedback', 'later'] },
      'tags',
      '“urgent” and “later” are both in the group “When”, of which only one can be chosen',
    ],
    [{ ...complete, since: ['2026-02-30'] }, 'since', 'Enter a date as YYYY-MM-DD'],
    [{ ...complete, since: ['soon'] }, 'since', 'Enter a date as YYYY-MM-DD'],
    [{ ...complete, prefix: ['a\nb'] }, 'prefix', 'Enter text on one line'],
    [{ ...complete, prefix: ['a', 'b'] }, 'prefix', 'Only one can be chosen'],
    [{ ...complete, watchers: ['u-nobody'] }, 'watchers', '“u-nobody” is not available'],
  ])('refuses by name what cannot be chosen: %j', async (payload, field, fault) => {
    const answer = (await put(payload)).json()
    expect(answer).toMatchObject({ code: 'invalid_input', fields: { [`body.${field}`]: fault } })
    expect(await stored()).toEqual({ team: 'Tallybrook' })
    expect(await tile()).toMatchObject({ ready: false })
  })

  it('verifies a value that is not listed by the text it was found with, and keeps it once stored', async () => {
    const unlisted = { ...complete, watchers: ['u-kim-lee', 'u-dora-eks'] }
    expect((await put(unlisted)).json()).toMatchObject({ code: 'invalid_input' })
    expect((await put(unlisted, { search: { watchers: ['kim', 'dora'] } })).statusCode).toBe(200)
    expect((await tile()).chosen).toContainEqual({ label: 'Watchers', values: ['Kim Lee', 'Dora Eks'], more: 0 })
    const before = board.requests.length
    expect((await put(unlisted)).statusCode).toBe(200)
    expect(board.requests.slice(before)).toEqual(['/projects', '/projects/P1/kinds', '/projects/P1/people?q='])
    const shown = (await get()).find(({ field }) => field === 'watchers')
    expect(shown).toMatchObject({
      chosen: ['u-kim-lee', 'u-dora-eks'],
      chosen_options: [
        { value: 'u-kim-lee', label: 'Kim Lee' },
        { value: 'u-dora-eks', label: 'Dora Eks' },
      ],
    })
    const moved = { project: ['P2'], kind: ['K9'], watchers: ['u-kim-lee'] }
    expect((await put(moved)).json()).toMatchObject({ fields: { 'body.watchers': '“Kim Lee” is not available' } })
  })

  it('makes a limited number of searches', async () => {
    const watchers = Array.from({ length: 40 }, (_, at) => `u-${at}`)
    const answer = (await put({ ...complete, watchers })).json()
    expect(answer).toMatchObject({
      code: 'invalid_input',
      fields: { 'body.watchers': expect.stringContaining('Too many') },
    })
    expect(board.requests.length).toBeLessThan(80)
  })

  it('shows that a stored value is no longer available', async () => {
    await put(complete)
    const [project] = board.projects.splice(0, 1)
    try {
      const [choice] = await get()
      expect(choice).toMatchObject({
        chosen: ['P1'],
        chosen_options: [{ value: 'P1', label: 'Mobile app', hint: 'No longer available' }],
      })
    } finally {
      if (project) board.projects.unshift(project)
    }
  })

  it('does not apply to a connection that was changed while the provider was asked', async () => {
    await put(complete)
    let release = () => {}
    board.hold = { path: '/projects/P2/kinds', until: new Promise((resolve) => (release = resolve)) }
    const slow = put({ project: ['P2'], kind: ['K9'] })
    await expect.poll(() => board.requests.includes('/projects/P2/kinds')).toBe(true)
    expect((await put({ ...complete, tags: ['urgent'] })).statusCode).toBe(200)
    release()
    board.hold = null
    expect((await slow).json()).toMatchObject({ code: 'conflict' })
    expect(await stored()).toMatchObject({ ...complete, tags: ['urgent'] })
  })

  it('leaves a destination connected: nothing is synced', async () => {
    await put(complete)
    await put({ tags: ['urgent'] })
    expect(await tile()).toMatchObject({ status: 'connected', progress: null })
  })
})

describe('signing in again', () => {
  it('keeps the choices, what they make ready, and the signing secret', async () => {
    await put(complete)
    await test.call('POST', `/api/${ID}/signing-secret/rotate`, { as: ann })
    const secret = async () => (await test.call('GET', `/api/${ID}/signing-secret`, { as: ann })).json().secret
    const before = await secret()
    expect(before).toMatch(/^whsec_/)
    expect((await connect()).statusCode).toBe(200)
    expect(await secret()).toBe(before)
    expect(await tile()).toMatchObject({ ready: true })
    expect(await stored()).toMatchObject(complete)
    expect(begun).toHaveLength(2)
  })

  it('gives a connection that signs a secret from the start', async () => {
    const answer = await test.call('GET', `/api/${ID}/signing-secret`, { as: ann })
    expect(answer.json().secret).toMatch(/^whsec_/)
  })
})

it('Test of a destination that is not ready says what to do', async () => {
  const answer = await test.call('POST', `/api/${ID}/test`, { as: ann })
  expect(answer.json()).toMatchObject({ code: 'not_configured', message: expect.stringContaining('where insights go') })
  await put(complete)
  expect((await test.call('POST', `/api/${ID}/test`, { as: ann })).statusCode).toBe(200)
})
