import { beforeEach, describe, expect, it } from 'vitest'
import { queryAccounts } from '../../platform/db/testing.ts'
import { createHttp } from '../../platform/http/create.ts'
import { proves } from '../../platform/proves.ts'
import { duringTests } from '../../platform/testing.ts'
import { authenticate, authProtocol } from '../index.ts'
import { authServer } from '../testing.ts'
import { refreshSession } from './refresh-session.ts'

let people = 0

const server = duringTests(() => authServer())
beforeEach(() => {
  server.time.passMs = 0
  server.time.stoppedAt = undefined
})

type Reply = { token: string; refresh_token: string }

async function signedUp(): Promise<Reply> {
  const body = { email: `renewed${++people}@example.com`, password: 'correct horse', name: 'Ann' }
  return (await (await server.ask('POST', '/api/auth/signup', { body })).json()) as Reply
}

async function refresh(
  refresh_token: string,
): Promise<{ status: number; code?: string; next: string; access: string }> {
  const answer = await server.ask('POST', '/auth/v1/token?grant_type=refresh_token', { body: { refresh_token } })
  const body = (await answer.json()) as { error_code?: string; refresh_token?: string; access_token?: string }
  return {
    status: answer.status,
    code: body.error_code,
    next: body.refresh_token ?? '',
    access: body.access_token ?? '',
  }
}

const alive = async (token: string) => (await server.ask('GET', '/api/user/user-data', { token })).status

describe('renewal', () => {
  it('makes a new refresh token, and answers the one before with it for as long as it is the newest', async () => {
    const { refresh_token: first } = await signedUp()
    const second = await refresh(first)
    expect([second.status, second.next === first]).toEqual([200, false])
    server.time.passMs = 60_000
    const again = await refresh(first)
    expect([again.status, again.next]).toEqual([200, second.next])
    expect(await alive(again.access)).toBe(200)
  })

  it('answers any token that was used within ten seconds with the active one', async () => {
    server.time.stoppedAt = Date.now()
    const { refresh_token: first } = await signedUp()
    const second = await refresh(first)
    const third = await refresh(second.next)
    const again = await refresh(first)
    expect([again.status, again.next]).toEqual([200, third.next])
    server.time.passMs = 9_000
    expect((await refresh(first)).next).toBe(third.next)
  })

  it('ends the sign-in when any other used token comes back', async () => {
    const { refresh_token: first, token } = await signedUp()
    const second = await refresh(first)
    server.time.passMs = 5_000
    const third = await refresh(second.next)
    server.time.passMs = 11_000
    const stolen = await refresh(first)
    expect([stolen.status, stolen.code]).toEqual([400, 'refresh_token_already_used'])
    expect((await refresh(third.next)).code).toBe('refresh_token_already_used')
    await expect.poll(async () => [await alive(token), await alive(third.access)]).toEqual([401, 401])
  })

  it('makes one token for a thousand concurrent renewals in two processes, and ends nothing', async () => {
    const { refresh_token: first } = await signedUp()
    const elsewhere = { ...server.services, db: { ...server.services.db } }
    const app = await createHttp(elsewhere, {
      handlers: [],
      mounts: [authProtocol(elsewhere)],
      authenticate: authenticate(elsewhere),
    })
    const payload = { refresh_token: first }
    const there = async () => {
      const answer = await app.inject({ method: 'POST', url: '/auth/v1/token?grant_type=refresh_token', payload })
      return { status: answer.statusCode, next: String(answer.json().refresh_token) }
    }
    const answers = await Promise.all(Array.from({ length: 500 }, () => [refresh(first), there()]).flat())
    await app.close()
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const [next, ...others] = new Set(answers.map((answer) => answer.next))
    expect(others).toEqual([])
    expect(next).not.toBe(first)
    const after = await refresh(next ?? '')
    expect(after.status).toBe(200)
    expect(await alive(after.access)).toBe(200)
    const { rows } = await queryAccounts(
      server.services.db,
      `select count(*) from refresh_token where session_id =
        (select session_id from refresh_token where token_hash = sha256($1::text::bytea))`,
      [first],
    )
    expect(rows).toEqual([{ count: 3 }])
  })

  it('makes one token where only the database serializes the renewals', async () => {
    const { refresh_token: first } = await signedUp()
    const from = { address: '127.0.0.1', headers: {} }
    const answers = await Promise.all(Array.from({ length: 50 }, () => refreshSession(server.services, first, from)))
    const tokens = answers.map((answer) => (typeof answer === 'string' ? answer : answer.refreshToken))
    expect(new Set(tokens).size).toBe(1)
    expect((await refresh(tokens[0] ?? '')).status).toBe(200)
  })

  it('has 256 random bits, and the database stores none that could be used', async () => {
    proves('7.2.3')
    const { refresh_token: first } = await signedUp()
    const { next } = await refresh(first)
    const { rows } = await queryAccounts(
      server.services.db,
      'select json_agg(refresh_token)::text as all from refresh_token',
    )
    // 43 characters of base64url.
    for (const one of [first, next]) expect(one).toMatch(/^[\w-]{43}$/)
    const many = await Promise.all(Array.from({ length: 20 }, signedUp))
    expect(new Set(many.map(({ refresh_token }) => refresh_token)).size).toBe(20)
    expect(rows[0].all).not.toContain(first)
    expect(rows[0].all).not.toContain(next)
  })

  it('ends after 30 days without use', async () => {
    proves('7.3.1')
    const day = 24 * 3_600_000
    let { refresh_token: current } = await signedUp()
    server.time.passMs = 29 * day
    current = (await refresh(current)).next
    server.time.passMs = 58 * day
    current = (await refresh(current)).next
    server.time.passMs = 58 * day + 30 * day + 1_000
    expect(await refresh(current)).toMatchObject({ status: 400, code: 'session_expired' })
  })

  it('ends 90 days after it began, however much it is used', async () => {
    proves('7.3.2', '10.4.8')
    const day = 24 * 3_600_000
    let { refresh_token: current } = await signedUp()
    for (const days of [25, 50, 75, 89]) {
      server.time.passMs = days * day
      const answer = await refresh(current)
      expect(answer.status).toBe(200)
      current = answer.next
    }
    server.time.passMs = 90 * day + 1_000
    expect(await refresh(current)).toMatchObject({ status: 400, code: 'session_expired' })
  })

  it('is refused to a banned account', async () => {
    const { refresh_token, token } = await signedUp()
    const { db } = server.services
    await queryAccounts(db, `update account set banned_until = now() + interval '1 day' where email = $1`, [
      `renewed${people}@example.com`,
    ])
    expect(await refresh(refresh_token)).toMatchObject({ status: 400, code: 'user_banned' })
    const answer = await server.ask('GET', '/auth/v1/user', { token })
    expect([answer.status, answer.headers.get('x-sb-error-code')]).toEqual([403, 'user_banned'])
  })
})
