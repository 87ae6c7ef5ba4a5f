import { randomUUID } from 'node:crypto'
import type { Route } from '@groundswell/contract/route.ts'
import { routes } from '@groundswell/contract/routes.ts'
import { acceptInvitation } from '@groundswell/contract/team.ts'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticate } from './auth/index.ts'
import { exampleRequest, nobodysObjects } from './example-calls.ts'
import { openConnection } from './platform/db/testing.ts'
import type { Caller } from './platform/http/handle.ts'
import { type TestApp, type TestPerson, testApp } from './platform/http/testing.ts'
import { handlers } from './wiring.ts'

const PASSWORD = 'a sentence nobody guesses'
const GONE = { code: 'forbidden', message: 'You are no longer in this workspace' }
/** Calls under way when a removal is stored: their caller was known before. */
const underWay = new Map<string, Caller>()

let test: TestApp
let owner: pg.Client
let people = 0

beforeAll(async () => {
  test = await testApp(
    (services) => {
      const known = authenticate(services)
      return {
        handlers: handlers(services),
        authenticate: async (token) => underWay.get(token) ?? known(token),
      }
    },
    { authRateLimits: null, allowPrivateAddresses: ['127.0.0.1'] },
  )
  owner = await openConnection(test.database.ownerUrl)
})
afterAll(async () => {
  await owner.end()
  await test.cleanup()
})

async function person(name: string): Promise<TestPerson> {
  people += 1
  return test.person(`${name}${people}`, { password: PASSWORD })
}

async function ok(method: 'POST' | 'DELETE', url: string, as: TestPerson | string, payload?: object) {
  const answer = await test.call(method, url, { as, ...(payload ? { payload } : {}) })
  expect([url, answer.statusCode, answer.json()]).toEqual([url, 200, expect.anything()])
  return answer.json()
}

/** Max as an owner of Ann’s workspace. */
async function team(): Promise<{ ann: TestPerson; max: TestPerson }> {
  const ann = await person('ann')
  const max = await person('max')
  const { link } = await ok('POST', '/api/team/invitations', ann, { role: 'owner' })
  await ok('POST', acceptInvitation.path, max, { token: String(link).split('invitation=')[1] })
  const caller = await authenticate(test.services)(max.token)
  if (caller?.workspaceId !== ann.workspaceId) throw new Error('Max is not in the workspace')
  return { ann, max: { ...caller, token: max.token } }
}

/** What a call of Max gets that was under way when something happened. */
async function callLate(caller: TestPerson): Promise<(route: Route) => Promise<[number, unknown]>> {
  const token = randomUUID()
  underWay.set(token, caller)
  const objects = nobodysObjects({ destination: 'webhook', source: 'slack' })
  return async (route) => {
    const { url, ...request } = exampleRequest(route, objects)
    const answer = await test.call(route.method, url, { as: token, ...request })
    return [answer.statusCode, answer.statusCode < 400 ? null : answer.json()]
  }
}

const removals: [string, (ann: TestPerson, max: TestPerson) => Promise<void>][] = [
  [
    'the caller is removed from the workspace',
    async (ann, max) => {
      await ok('DELETE', `/api/team/${max.accountId}`, ann)
    },
  ],
  [
    'the workspace is deleted',
    async (ann) => {
      await ok('POST', '/api/workspace/delete', ann, { name: ann.name, password: PASSWORD })
    },
  ],
  [
    'the account is deleted',
    async (_ann, max) => {
      await ok('POST', '/api/account/delete', max, { password: PASSWORD })
    },
  ],
]

describe.each(removals)('a call that is under way while %s', (_, remove) => {
  it('is done or refused, whichever call it is, and never a defect', async () => {
    const { ann, max } = await team()
    const late = await callLate(max)
    await remove(ann, max)
    const answers = new Map<string, [number, unknown]>()
    for (const route of routes) answers.set(route.name, await late(route))
    expect([...answers].filter(([, [status]]) => status === 500)).toEqual([])
    expect(answers.get('createView')).toEqual([403, GONE])
    expect(answers.get('setDigest')).toEqual([403, GONE])
  })
})

it('a broken reference of a caller who is still there stays a defect', async () => {
  const ann = await person('ann')
  await owner.query(`create function refuse() returns trigger language plpgsql as
    $$ begin raise foreign_key_violation using message = 'a defect'; end $$`)
  await owner.query('create trigger refuse before insert on saved_view for each row execute function refuse()')
  const payload = { name: 'Exports', query: '', shared: false }
  expect((await test.call('POST', '/api/views', { as: ann, payload })).statusCode).toBe(500)
})
