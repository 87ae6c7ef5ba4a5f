import type * as z from 'zod/mini'
import { errorCode } from '../../platform/db/retry.ts'
import { inAccount, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { type AccountChange, changeAccount, findAccountById, lockAccount } from '../account/store.ts'
import { readUser, type UserJson } from '../account/user-json.ts'
import { passwordHasher } from '../passwords/hash.ts'
import { recordAudit } from '../record-audit.ts'
import type { RequestOrigin } from '../sessions/issue-session.ts'
import { endSessions } from '../sessions/store.ts'
import { AuthError } from './auth-error.ts'
import { mergedMetadata, nameIn, type OperatorChange } from './schemas.ts'
import { refuseWeak } from './sign-up-calls.ts'

const UNIT_MS: Record<string, number> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }
const TAKEN = '23505'

/** Applies an operator's change to an account immediately. A ban and a new password end its sessions. */
export async function changeByOperator(
  services: Services,
  accountId: string,
  body: z.output<typeof OperatorChange>,
  request: RequestOrigin,
): Promise<UserJson | null> {
  const { email, password, user_metadata: data } = body
  if (password) await refuseWeakFor(services, accountId, password, email)
  const passwordHash = password ? await passwordHasher(services).hash(password) : null
  const at = services.now()
  const bannedUntil = body.ban_duration ? banEnd(body.ban_duration, at) : undefined
  return inAccount(services.db.accounts, accountId, async (tx) => {
    const account = await lockAccount(tx, accountId)
    if (!account) throw new AuthError('user_not_found', 'User not found', { status: 404 })
    const set: AccountChange = {}
    // An address that the operator confirms counts as proven.
    if (email && email !== account.email) {
      const provenAt = body.email_confirm ? at : null
      Object.assign(set, { email, emailConfirmedAt: provenAt, emailProvenAt: provenAt, contested: false })
    } else if (body.email_confirm && (account.emailConfirmedAt === null || account.emailProvenAt === null)) {
      set.emailConfirmedAt = account.emailConfirmedAt ?? at
      Object.assign(set, { emailProvenAt: account.emailProvenAt ?? at, contested: false })
    }
    if (passwordHash !== null) set.passwordHash = passwordHash
    if (bannedUntil !== undefined) set.bannedUntil = bannedUntil
    if (data) {
      set.userMetadata = mergedMetadata(account.userMetadata, data)
      const name = nameIn(data)
      if (name !== null) set.name = name
    }
    if (body.app_metadata) set.appMetadata = mergedMetadata(account.appMetadata, body.app_metadata)
    if (Object.keys(set).length === 0) return readUser(tx, accountId)
    await changeAccount(tx, accountId, set, at)
    if (passwordHash !== null || bannedUntil) await endSessions(tx, accountId, at)
    const action = bannedUntil ? 'account.banned' : 'account.changed'
    await recordAudit(tx, {
      action,
      at,
      actorId: null,
      accountId,
      request,
      detail: { fields: Object.keys(set).join(' ') },
    })
    return readUser(tx, accountId)
  }).catch((error: unknown) => {
    if (errorCode(error) !== TAKEN) throw error
    throw new AuthError('email_exists', 'A user with this email address has already been registered')
  })
}

/** The account's own address is read before the password is hashed, outside of the transaction that changes it. */
async function refuseWeakFor(
  services: Services,
  accountId: string,
  password: string,
  email: string | null | undefined,
): Promise<void> {
  const account = await withoutWorkspace(services.db.accounts, (tx) => findAccountById(tx, accountId))
  if (!account) throw new AuthError('user_not_found', 'User not found', { status: 404 })
  refuseWeak(password, account.email, ...(email ? [email] : []))
}

/** The end of a ban such as `24h` or `1h30m`; null for `none`. At most ten years. */
function banEnd(duration: string, at: Date): Date | null {
  if (duration === 'none') return null
  const parts = [...duration.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)]
  const sum = parts.reduce((total, [, number, unit = '']) => total + Number(number) * (UNIT_MS[unit] ?? 0), 0)
  return new Date(at.getTime() + Math.min(sum, 10 * 365 * 24 * 3_600_000))
}
