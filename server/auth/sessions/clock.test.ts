import { beforeEach, describe, expect, it } from 'vitest'
import { withCaches } from '../../platform/caches.ts'
import { duringTests } from '../../platform/testing.ts'
import { sweepAccounts } from '../jobs.ts'
import { openTeam, PASSWORD } from '../team/testing.ts'
import { authenticate } from './authenticate.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let people = 0

const on = duringTests(() => openTeam())
beforeEach(() => {
  on.test.time.passMs = 0
  on.test.time.stoppedAt = Date.now()
})

const person = () => on.test.person(`clock${++people}`, { password: PASSWORD })
const set = (ms: number) => void (on.test.time.passMs = ms)
const alive = async (token: string) => (await on.test.call('GET', '/api/user/user-data', { as: token })).statusCode

async function renewed(refresh_token: string): Promise<{ status: number; access: string; next: string }> {
  const url = '/auth/v1/token?grant_type=refresh_token'
  const answer = await on.test.call('POST', url, { payload: { refresh_token } })
  const { access_token, refresh_token: next } = answer.json() as Record<string, string>
  return { status: answer.statusCode, access: access_token ?? '', next: next ?? '' }
}

/** Whether a process that has just started accepts a token. */
async function isAccepted(token: string): Promise<boolean> {
  const process = withCaches(on.test.services)
  try {
    return (await authenticate(process)(token)) !== null
  } finally {
    await process.caches.dispose()
  }
}

describe.each([
  ['ahead', HOUR_MS],
  ['back', -HOUR_MS],
])('when the clock jumps an hour %s, and is corrected', (_where, jump) => {
  it('nobody is signed out: a renewal gives a token that works, before and after', async () => {
    const { token, refresh_token: first } = await on.logIn(await person())
    expect(await alive(token)).toBe(200)
    set(jump)
    const second = await renewed(first)
    expect([second.status, await alive(second.access)]).toEqual([200, 200])
    set(MINUTE_MS)
    const third = await renewed(second.next)
    expect([third.status, await alive(third.access)]).toEqual([200, 200])
    // The reply was lost: the token before the newest one is answered again.
    expect((await renewed(second.next)).next).toBe(third.next)
  })

  it('a session that was ended stays ended, for processes that start later too', async () => {
    const ann = await person()
    expect(await isAccepted(ann.token)).toBe(true)
    set(Math.min(jump, 0))
    expect((await on.test.call('POST', '/auth/v1/logout', { as: ann, payload: {} })).statusCode).toBe(204)
    set(jump > 0 ? jump + MINUTE_MS : MINUTE_MS)
    await sweepAccounts(on.test.services)
    set(2 * MINUTE_MS)
    expect([await alive(ann.token), await isAccepted(ann.token)]).toEqual([401, false])
  })
})

it('a token that was issued while the clock was ahead works on, until its end; one from more than two hours ahead does not', async () => {
  const ann = await person()
  set(HOUR_MS)
  const { token } = await on.logIn(ann)
  set(3 * HOUR_MS)
  const { token: far, refresh_token } = await on.logIn(ann)
  expect([await alive(token), await alive(far)]).toEqual([401, 200])
  set(MINUTE_MS)
  expect([await alive(token), await isAccepted(token)]).toEqual([200, true])
  expect([await alive(far), await isAccepted(far)]).toEqual([401, false])
  expect(await alive((await renewed(refresh_token)).access)).toBe(200)
  set(2 * HOUR_MS)
  expect([await alive(token), await isAccepted(token)]).toEqual([401, false])
})

it('a role that was taken away while the clock was behind is gone when it is corrected', async () => {
  set(-3 * HOUR_MS)
  const [ann, bo] = [await person(), await person()]
  await on.join(bo, 'owner', ann)
  const { token } = await on.logIn(bo)
  await on.enter(ann.workspaceId, token)
  set(0)
  const { token: inside, refresh_token } = await on.logIn(bo)
  set(-HOUR_MS)
  const { token: annNow } = await on.logIn(ann)
  expect((await on.setRole(bo, 'viewer', annNow)).status).toBe(200)
  set(MINUTE_MS)
  const [here, there] = [inside, (await renewed(refresh_token)).access]
  expect([(await on.change(here)).status, (await on.change(there)).status]).toEqual([403, 403])
})
