import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resealConnections } from '../../features/connections/index.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { queryAccounts } from '../../platform/db/testing.ts'
import { forgetOldKeys, loadKey, renewKey } from '../../platform/secrets/key.ts'
import { seal } from '../../platform/secrets/seal.ts'
import { sweepAccounts } from '../jobs.ts'
import { type AuthServer, authServer, clientVersions } from '../testing.ts'
import { resealAccounts, rotateSigningKey } from './rotate-keys.ts'
import { serviceToken } from './service-token.ts'

let server: AuthServer
let people = 0

beforeAll(async () => {
  server = await authServer()
  Object.assign(server.services, { key: await loadKey(server.services.config) })
})
afterAll(() => server.cleanup())

const kidOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid as string
const alive = async (token: string) => (await server.ask('GET', '/api/user/user-data', { token })).status

async function signedUp() {
  const body = { email: `keeper${++people}@example.com`, password: 'correct horse', name: 'Ann' }
  const answer = await server.ask('POST', '/api/auth/signup', { body })
  return (await answer.json()) as { token: string; refresh_token: string }
}

/** A connection with something sealed in it, as the connections feature stores it. */
async function connection(workspaceId: string): Promise<() => Promise<string>> {
  const { db, key } = server.services
  const id = randomUUID()
  const sealed = seal(key, 'a secret', `connection:${id}`)
  await inWorkspace(db.accounts, workspaceId, (tx) =>
    sql`insert into connection (workspace_id, id, connector, sealed_secrets) values (${workspaceId}, ${id}, 'x', ${sealed})`.execute(
      tx,
    ),
  )
  return async () => {
    const { rows } = await inWorkspace(db.accounts, workspaceId, (tx) =>
      sql<{ sealed: string }>`select sealed_secrets as sealed from connection where id = ${id}`.execute(tx),
    )
    return rows[0]?.sealed ?? ''
  }
}

/** Does what the command does, in a separate process. */
async function rotate() {
  const { services } = server
  const key = await renewKey(services.config)
  if (!key) throw new Error('the key is in a file here')
  const counts = [await resealAccounts({ ...services, key }), await resealConnections({ ...services, key })]
  await rotateSigningKey({ ...services, key })
  await forgetOldKeys(services.config)
  return { key, counts }
}

describe('rotating the keys', () => {
  it('signs nobody out and seals everything again, while the server runs', async () => {
    const { services } = server
    const before = await signedUp()
    const me = await queryAccounts(services.db, 'select workspace_id from session order by created_at desc limit 1')
    const sealedNow = await connection(me.rows[0].workspace_id)
    const { key, counts } = await rotate()
    expect(counts).toEqual([
      { sealed: 1, lost: 0 },
      { sealed: 1, lost: 0 },
    ])
    expect(await sealedNow()).toContain(`.${key.id}.`)
    expect(await alive(before.token)).toBe(200)
    const body = { refresh_token: before.refresh_token }
    await expect.poll(async () => kidOf((await signedUp()).token)).not.toBe(kidOf(before.token))
    const answer = await server.ask('POST', '/auth/v1/token?grant_type=refresh_token', { body })
    const renewed = (await answer.json()) as { access_token: string }
    expect(kidOf(renewed.access_token)).not.toBe(kidOf(before.token))
    expect([await alive(before.token), await alive(renewed.access_token)]).toEqual([200, 200])
    const { keys } = (await (await server.ask('GET', '/auth/v1/.well-known/jwks.json')).json()) as {
      keys: { kid: string; d?: string }[]
    }
    expect(keys.map(({ kid }) => kid)).toEqual([kidOf(renewed.access_token), kidOf(before.token)])
    expect(keys.map(({ d }) => d)).toEqual([undefined, undefined])
    expect(services.key.id).toBe(key.id)
  })

  it('keeps two sealing keys in the file, and a key that signed only until its last token has expired', async () => {
    await rotate()
    await rotate()
    const file = await readFile(join(server.services.config.dataDir, 'secret.key'), 'utf8')
    expect(file.trim().split('\n')).toHaveLength(2)
    const count = async () =>
      (await queryAccounts(server.services.db, 'select count(*) from signing_key')).rows[0].count
    expect(await count()).toBe(4)
    server.time.passMs = 2 * 3_600_000
    await sweepAccounts(server.services)
    expect(await count()).toBe(1)
    server.time.passMs = 0
  })

  it('is recorded', async () => {
    const { rows } = await queryAccounts(
      server.services.db,
      `select count(*) from audit_event where action = 'keys.rotated'`,
    )
    expect(rows).toEqual([{ count: 3 }])
  })
})

describe('a service token', () => {
  it('manages accounts through the official client, and no other token does', async () => {
    const token = await serviceToken(server.services, 1)
    for (const [version, make] of clientVersions) {
      const { admin } = server.client(make, { key: token })
      const email = `managed-${version}@example.com`
      const made = await admin.createUser({
        email,
        password: 'correct horse',
        email_confirm: true,
        user_metadata: { name: 'Em' },
      })
      expect(made.error).toBeNull()
      const id = made.data.user?.id ?? ''
      expect(made.data.user).toMatchObject({
        email,
        user_metadata: { name: 'Em' },
        email_confirmed_at: expect.any(String),
      })
      expect((await admin.createUser({ email })).error).toMatchObject({ code: 'email_exists', status: 422 })
      const listed = await admin.listUsers({ page: 1, perPage: 1 })
      expect([listed.error, listed.data.users.length]).toEqual([null, 1])
      expect((await admin.getUserById(id)).data.user?.email).toBe(email)
      const client = server.client(make)
      expect((await client.signInWithPassword({ email, password: 'correct horse' })).error).toBeNull()
      expect((await admin.updateUserById(id, { ban_duration: '24h' })).data.user?.banned_until).toBeDefined()
      expect((await client.signInWithPassword({ email, password: 'correct horse' })).error?.code).toBe('user_banned')
      expect((await client.getUser()).error).not.toBeNull()
      expect((await admin.updateUserById(id, { ban_duration: 'none', password: 'battery staple' })).error).toBeNull()
      expect((await client.signInWithPassword({ email, password: 'battery staple' })).error).toBeNull()
      const link = await admin.generateLink({ type: 'recovery', email })
      const token_hash = link.data.properties?.hashed_token ?? ''
      expect((await server.client(make).verifyOtp({ type: 'recovery', token_hash })).data.user?.id).toBe(id)
      const invited = await admin.inviteUserByEmail(`invited-${version}@example.com`)
      expect([invited.error, invited.data.user?.email]).toEqual([null, `invited-${version}@example.com`])
      expect((await admin.mfa.listFactors({ userId: id })).data?.factors).toEqual([])
      expect((await client.admin.listUsers()).error?.status).toBe(403)
      const { data } = await client.getSession()
      const asPerson = server.client(make, { key: data.session?.access_token ?? '' })
      expect((await asPerson.admin.listUsers()).error).toMatchObject({ code: 'not_admin', status: 403 })
      expect((await admin.deleteUser(id)).error).toBeNull()
      expect((await admin.getUserById(id)).error).toMatchObject({ code: 'user_not_found', status: 404 })
      expect((await client.getUser()).error).not.toBeNull()
    }
  })

  it('is no person', async () => {
    const token = await serviceToken(server.services, 1)
    expect(await alive(token)).toBe(401)
    expect((await server.ask('GET', '/auth/v1/user', { token })).status).toBe(403)
  })
})
