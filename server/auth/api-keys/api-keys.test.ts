import { createHash, randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { accountRoutes } from '../../features/accounts/index.ts'
import { apiKeyRoutes } from '../../features/api-keys/index.ts'
import { auditRoutes } from '../../features/audit/index.ts'
import { feedbackRoutes } from '../../features/feedback/index.ts'
import { withCaches } from '../../platform/caches.ts'
import { inAccount, withoutWorkspace } from '../../platform/db/tenant.ts'
import { openConnection } from '../../platform/db/testing.ts'
import type { TestPerson } from '../../platform/http/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { appOfFile } from '../../testing.ts'
import { displaceAccount } from '../account/claim.ts'
import { changeAccount, findAccountById } from '../account/store.ts'
import { authenticate, authProtocol } from '../index.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const PASSWORD = 'a sentence nobody guesses'

let people = 0
let ann: TestPerson

const test = appOfFile(
  (services) => ({
    handlers: [
      ...accountRoutes(services),
      ...apiKeyRoutes(services),
      ...auditRoutes(services),
      ...feedbackRoutes(services, { stored: async () => undefined }),
    ],
    mounts: [authProtocol(services)],
  }),
  { authRateLimits: { signup: 1_000, login: 1_000, api_key: 20 } },
)
const owner = duringTests(() => openConnection(test.database.ownerUrl))
beforeEach(async () => {
  test.time.passMs = 0
  test.time.stoppedAt = undefined
  people += 1
  ann = await test.person(`ann${people}`, { password: PASSWORD })
})

const fields = { name: 'Nightly report', scopes: ['read'], expires_in_days: 30 }

async function create(as: TestPerson = ann, more = {}) {
  const answer = await test.call('POST', '/api/keys', { as, payload: { ...fields, ...more } })
  expect(answer.statusCode).toBe(200)
  const { key, token } = answer.json()
  return { id: String(key.id), key, token: String(token) }
}

const list = async (as: TestPerson = ann) => (await test.call('GET', '/api/keys', { as })).json().keys
const use = async (token: string) => (await test.call('GET', '/api/file-sources', { as: token })).statusCode

async function stored(workspaceId = ann.workspaceId): Promise<Record<string, unknown>[]> {
  await owner.query('select set_config($1, $2, false)', ['groundswell.workspace', workspaceId])
  return (await owner.query('select * from api_key where workspace_id = $1', [workspaceId])).rows
}

describe('an API key', () => {
  it('is shown once, and stored as a hash only', async () => {
    const { token, key } = await create()
    expect(token).toMatch(/^gsk_[\w-]{43}$/)
    expect(key).toMatchObject({
      name: fields.name,
      scopes: fields.scopes,
      start: token.slice(0, 8),
      last_used_at: null,
    })
    expect(await list()).toEqual([key])
    const [row] = await stored()
    expect(row?.token_hash).toEqual(createHash('sha256').update(token).digest())
    expect(JSON.stringify(row)).not.toContain(token.slice(8))
    expect(JSON.stringify(await list())).not.toContain(token.slice(8))
  })

  it('makes calls until it is revoked, in every process', async () => {
    const { token, id } = await create()
    const other = authenticate(withCaches({ ...test.services }))
    expect([await use(token), (await other(token))?.workspaceId]).toEqual([200, ann.workspaceId])
    expect((await test.call('DELETE', `/api/keys/${id}`, { as: ann })).statusCode).toBe(200)
    expect([await use(token), await other(token), await list()]).toEqual([401, null, []])
    expect((await test.call('DELETE', `/api/keys/${id}`, { as: ann })).statusCode).toBe(404)
  })

  it('ends when it expires, and one without an expiry does not', async () => {
    const [short, long] = [await create(), await create(ann, { expires_in_days: null })]
    test.time.passMs = 30 * DAY_MS - MINUTE_MS
    expect([await use(short.token), await use(long.token)]).toEqual([200, 200])
    test.time.passMs = 30 * DAY_MS + MINUTE_MS
    expect([await use(short.token), await use(long.token)]).toEqual([401, 200])
    test.time.passMs = 4_000 * DAY_MS
    expect(await use(long.token)).toBe(200)
  })

  it('says when it was used, and writes that at most once a minute', async () => {
    const { token } = await create()
    test.time.stoppedAt = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + MINUTE_MS
    const first = new Date(test.time.stoppedAt)
    await use(token)
    test.time.passMs = MINUTE_MS - 1
    await use(token)
    expect((await stored())[0]?.last_used_at).toEqual(first)
    test.time.passMs = MINUTE_MS
    await use(token)
    expect((await stored())[0]?.last_used_at).toEqual(new Date(first.getTime() + MINUTE_MS))
  })

  it('may make so many calls a minute, in all processes together', async () => {
    const [{ token }, free] = [await create(), await create()]
    test.time.stoppedAt = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
    const processes = [1, 2, 3].map(() => authenticate(withCaches({ ...test.services })))
    for (let call = 0; call < 20; call += 1) expect(await processes[call % 3]?.(token)).not.toBeNull()
    await expect(processes[1]?.(token)).rejects.toMatchObject({ code: 'too_many_requests' })
    expect([await use(token), await use(free.token)]).toEqual([429, 200])
    const refused = await test.call('GET', '/api/file-sources', { as: token })
    expect(refused.headers['retry-after']).toBe('60')
    test.time.passMs = 2 * MINUTE_MS
    expect(await use(token)).toBe(200)
  })

  it('is refused when it is not known, whatever it looks like', async () => {
    const { token } = await create()
    for (const wrong of [
      'gsk_',
      'gsk_short',
      `gsk_${randomBytes(32).toString('base64url')}`,
      `${token}x`,
      token.slice(4),
    ]) {
      expect([wrong, await use(wrong)]).toEqual([wrong, 401])
    }
  })

  it('cannot reach the account, also under /auth/v1', async () => {
    const { token } = await create(ann, { scopes: ['read', 'feedback:write'] })
    for (const [method, url] of [
      ['GET', '/api/user/user-data'],
      ['GET', '/api/account/export'],
      ['GET', '/api/keys'],
      ['POST', '/api/auth/logout'],
    ] as const) {
      expect([url, (await test.call(method, url, { as: token })).statusCode]).toEqual([url, 403])
    }
    for (const [method, url] of [
      ['GET', '/auth/v1/user'],
      ['POST', '/auth/v1/logout'],
    ] as const) {
      expect([url, (await test.call(method, url, { as: token })).statusCode >= 400]).toEqual([url, true])
    }
    expect((await test.call('GET', '/api/keys', { as: ann })).statusCode).toBe(200)
  })

  it('is listed and revoked in its own workspace only', async () => {
    const bo = await test.person(`bo${people}`)
    const { id, token } = await create()
    expect(await list(bo)).toEqual([])
    expect((await test.call('DELETE', `/api/keys/${id}`, { as: bo })).statusCode).toBe(404)
    expect(await use(token)).toBe(200)
  })

  it('is one of at most 100', async () => {
    await create()
    await stored()
    await owner.query(
      `insert into api_key (workspace_id, account_id, name, scopes, token_hash, token_start, created_at)
       select workspace_id, account_id, 'one of many', '{read}', sha256((workspace_id::text || n)::bytea), 'gsk_', now()
       from (select * from api_key where workspace_id = '${ann.workspaceId}') one, generate_series(2, 100) n`,
    )
    const answer = await test.call('POST', '/api/keys', { as: ann, payload: fields })
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'conflict'])
  })

  it.each([
    [{ name: '  ' }],
    [{ name: 'x'.repeat(101) }],
    [{ scopes: [] }],
    [{ scopes: ['admin'] }],
    [{ expires_in_days: 31 }],
    [{ expires_in_days: undefined }],
  ])('is not created with %j', async (wrong) => {
    expect((await test.call('POST', '/api/keys', { as: ann, payload: { ...fields, ...wrong } })).statusCode).toBe(400)
    expect(await stored()).toEqual([])
  })

  it('is in the audit log when it is created and revoked, without the key', async () => {
    const { id, token } = await create()
    await test.call('DELETE', `/api/keys/${id}`, { as: ann })
    const { rows } = await owner.query(
      `select action, actor, detail from audit_event where account_id = $1 and action like 'api_key.%' order by id`,
      [ann.accountId],
    )
    const api_key = `Nightly report (${token.slice(0, 8)}…)`
    expect(rows).toEqual([
      { action: 'api_key.created', actor: ann.email, detail: { api_key, scopes: 'read', expires: expect.any(String) } },
      { action: 'api_key.revoked', actor: ann.email, detail: { api_key } },
    ])
    expect(JSON.stringify(rows)).not.toContain(token.slice(8))
  })
})

describe('the keys of somebody who', () => {
  it('is removed from the workspace go too', async () => {
    const { token } = await create()
    await stored()
    await owner.query('delete from member where account_id = $1', [ann.accountId])
    expect([await use(token), await stored()]).toEqual([401, []])
  })

  it('deletes their account go too', async () => {
    const { token } = await create()
    const answer = await test.call('POST', '/api/account/delete', { as: ann, payload: { password: PASSWORD } })
    expect(answer.statusCode).toBe(200)
    expect([await use(token), await stored()]).toEqual([401, []])
  })

  it('is banned make no calls while the ban lasts', async () => {
    const { token } = await create()
    const ban = (bannedUntil: Date | null) =>
      withoutWorkspace(test.services.db.accounts, (tx) => changeAccount(tx, ann.accountId, { bannedUntil }, new Date()))
    await ban(new Date(Date.now() + DAY_MS))
    expect(await use(token)).toBe(401)
    await ban(null)
    expect(await use(token)).toBe(200)
  })

  it('loses the account to the owner of its address go too, whichever account the transaction is of', async () => {
    const bo = await test.person(`bo${people}`)
    const [lost, kept] = [await create(), await create(bo)]
    await inAccount(test.services.db.accounts, bo.accountId, async (tx) => {
      const account = await findAccountById(tx, ann.accountId)
      if (account)
        await displaceAccount(tx, account, { at: new Date(), request: { address: '192.0.2.1', headers: {} } })
    })
    expect([await stored(), await use(lost.token), await use(kept.token)]).toEqual([[], 401, 200])
  })

  it('exports their data are part of it, without hashes', async () => {
    const { token } = await create()
    const data = (await test.call('GET', '/api/account/export', { as: ann })).json()
    expect(data.api_keys).toMatchObject([{ name: 'Nightly report', scopes: ['read'] }])
    expect(JSON.stringify(data.api_keys)).not.toMatch(/hash/)
    expect(JSON.stringify(data)).not.toContain(token.slice(8))
  })
})
