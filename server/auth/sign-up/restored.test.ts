import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { accountRoutes } from '../../features/accounts/index.ts'
import { restoreBackup, writeBackup } from '../../features/backup/index.ts'
import { openConnection } from '../../platform/db/testing.ts'
import { type TestApp, testApp } from '../../platform/http/testing.ts'
import { authenticate } from '../index.ts'

const migrations = path.join(import.meta.dirname, '../../migrations')

let to: TestApp
let from: TestApp

const open = () =>
  testApp((services) => ({ handlers: accountRoutes(services), authenticate: authenticate(services) }), {
    authRateLimits: { signup: 1_000, login: 1_000, verify: 1_000 },
  })
beforeEach(async () => {
  ;[to, from] = await Promise.all([open(), open()])
})
afterEach(() => Promise.all([to.cleanup(), from.cleanup()]))

async function query<T>(test: TestApp, statement: string): Promise<T[]> {
  const client = await openConnection(test.database.ownerUrl)
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
const accounts = (test: TestApp) =>
  query<{ email: string; isAdmin: boolean }>(test, 'select email, is_admin as "isAdmin" from account order by email')
const signUp = async (email: string) => {
  const answer = await to.call('POST', '/api/auth/signup', {
    payload: { email, name: 'Someone', password: 'a sentence nobody guesses' },
    remoteAddress: '127.0.0.1',
  })
  return { status: answer.statusCode, code: (answer.json() as { code?: string }).code }
}

/** Signs up from the server's own machine, as the first admin does, while a backup of `from` is being restored. */
async function signUpDuringRestore(email: string) {
  const lines = (await Array.fromAsync(writeBackup(from.database.ownerUrl, { key: null, now: new Date() }))).map(
    (line) => line.trimEnd(),
  )
  let ended = false
  let signingUp: ReturnType<typeof signUp> | undefined
  async function* paused() {
    for (const line of lines) {
      yield line
      if (signingUp) continue
      signingUp = signUp(email).finally(() => {
        ended = true
      })
      await vi.waitUntil(
        async () =>
          ended ||
          (
            await query(
              to,
              `select from pg_locks l join pg_stat_activity a on a.pid = l.pid
            where not l.granted and a.datname = current_database()`,
            )
          ).length > 0,
        { timeout: 30_000 },
      )
    }
  }
  const restored = await restoreBackup(to.database.ownerUrl, paused(), {
    migrations,
    keep: async () => undefined,
    hasKey: () => false,
  }).then(
    () => 'restored',
    (error: Error) => error.message,
  )
  return { restored, answer: await signingUp }
}

it('a sign-up during a restore becomes no admin beside the restored one', async () => {
  await from.person('ann', {})
  await query(from, 'update account set is_admin = true')
  const { restored, answer } = await signUpDuringRestore('bo@example.com')
  expect([restored, answer?.status]).toEqual(['restored', 200])
  expect(await accounts(to)).toEqual([
    { email: 'ann@example.com', isAdmin: true },
    { email: 'bo@example.com', isAdmin: false },
  ])
})

it('a sign-up during a restore for an address that is restored is refused, and the restored account stays as it was', async () => {
  await from.person('ann', {})
  await query(from, 'update account set is_admin = true')
  const { restored, answer } = await signUpDuringRestore('ann@example.com')
  expect([restored, answer]).toEqual(['restored', { status: 400, code: 'signup_refused' }])
  expect(await accounts(to)).toEqual(await accounts(from))
  const password = 'select password_hash from account'
  expect(await query(to, password)).toEqual(await query(from, password))
})
