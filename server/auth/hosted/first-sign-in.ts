import { randomUUID } from 'node:crypto'
import { ContractError } from '@groundswell/contract/errors.ts'
import { withoutControls } from '@groundswell/contract/values/name.ts'
import { insertWorkspace } from '../../features/workspaces/index.ts'
import { type AccountTx, inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { type AccountRow, findAccount, lockAccount } from '../account/store.ts'
import { factorsOf } from '../factors/store.ts'
import { recordAudit } from '../record-audit.ts'
import type { RequestOrigin } from '../sessions/issue-session.ts'
import { announceChangedAccount } from '../sessions/notice-store.ts'
import { admit } from '../sign-up/admit.ts'
import { confirmsByMail, type Person } from './person.ts'
import { hostedProject } from './project.ts'
import {
  findHosted,
  type HostedAccount,
  insertHostedAccount,
  insertHostedIdentity,
  isOfProject,
  lockSubject,
  type Subject,
} from './store.ts'
import type { HostedClaims } from './verify-token.ts'

/** The request of the login or sign-up form in which a person is first seen: only that can create the first admin. */
export type FormRequest = { request: RequestOrigin; setupToken: string | undefined }

const MAX_NAME_LENGTH = 200

/**
 * Creates an account for a person of the hosted project with an empty workspace, as SIGNUP allows; or links the account of
 * our own server with the same e-mail address, if both sides have verified that address. Throws `signup_closed`.
 */
export async function createOrLinkAccount(
  services: Services,
  claims: HostedClaims,
  person: Person,
  form: FormRequest | null,
): Promise<HostedAccount> {
  const { issuer } = hostedProject(services)
  const who = { issuer, subject: claims.sub }
  const joins = await linkableAccount(services, claims, person)
  const workspaceId = randomUUID()
  return inWorkspace(services.db.accounts, workspaceId, async (tx) => {
    await lockSubject(tx, who)
    const found = await findHosted(tx, who)
    if (found) return found
    if (!(joins && (await join(services, tx, claims, joins, who)))) {
      const isAdmin = await admitted(services, tx, person, form)
      await make(services, tx, claims, person, { ...who, workspaceId, isAdmin })
    }
    const made = await findHosted(tx, who)
    if (!made) throw new Error('the new account cannot be read')
    return made
  })
}

/** The person's name in a token; null when it has none. */
export function nameIn({ user_metadata: metadata }: HostedClaims): string | null {
  for (const name of [metadata['name'], metadata['full_name']]) {
    const seen = typeof name === 'string' ? withoutControls(name).trim() : ''
    if (seen !== '') return seen.slice(0, MAX_NAME_LENGTH)
  }
  return null
}

async function make(
  services: Services,
  tx: AccountTx,
  claims: HostedClaims,
  person: Person,
  given: Subject & { workspaceId: string; isAdmin: boolean },
): Promise<void> {
  const { issuer, subject, workspaceId, isAdmin } = given
  const at = services.now()
  const email = claims.email.toLowerCase()
  const name = nameIn(claims) ?? (email.split('@')[0] || 'Unnamed')
  const confirmed = person.confirmedEmail === email
  const accountId = await insertHostedAccount(tx, { issuer, email, name, isAdmin, confirmed }, at)
  await insertWorkspace(tx, workspaceId, name, accountId)
  const session = { firstSessionId: claims.session_id, claimedAt: claims.iat, at }
  await insertHostedIdentity(tx, { issuer, subject, accountId, email, ...session })
  const detail = { provider: issuer }
  await recordAudit(tx, { action: 'account.created', at, actorId: accountId, accountId, workspaceId, detail })
}

/** Whether the new account becomes an admin. Throws `signup_closed` when the policy refuses it. */
async function admitted(services: Services, tx: AccountTx, person: Person, form: FormRequest | null): Promise<boolean> {
  const { signup } = services.config
  const isWelcome = signup === 'open' || (signup === 'invite' && person.wasInvited)
  if (form === null) {
    if (isWelcome) return false
    throw new ContractError('signup_closed', 'New accounts are not admitted here: ask an admin')
  }
  try {
    return await admit(tx, services, form.request, form.setupToken)
  } catch (error) {
    if (isWelcome && error instanceof ContractError && error.code === 'signup_closed') return false
    throw error
  }
}

/** The account of our own server that may be linked, as far as can be checked without a lock. */
async function linkableAccount(services: Services, claims: HostedClaims, person: Person): Promise<AccountRow | null> {
  const email = claims.email.toLowerCase()
  if (email === '' || person.confirmedEmail !== email) return null
  // Addresses that are confirmed automatically prove nothing.
  if (services.config.authAutoconfirm === true) return null
  const account = await withoutWorkspace(services.db.accounts, (tx) => findAccount(tx, email))
  if (!account?.emailConfirmedAt) return null
  return (await confirmsByMail(services)) ? account : null
}

/**
 * Links an account of this server. False when it has changed in the meantime, is linked to another person, or requires a second
 * factor that the session lacks.
 */
async function join(
  services: Services,
  tx: AccountTx,
  claims: HostedClaims,
  { id, email }: AccountRow,
  who: Subject,
): Promise<boolean> {
  const at = services.now()
  const account = await lockAccount(tx, id)
  if (!account?.emailConfirmedAt || account.email !== email || account.bannedUntil !== null) return false
  if (await isOfProject(tx, id, who.issuer)) return false
  const isProtected = (await factorsOf(tx, id)).some(({ status }) => status === 'verified')
  if (isProtected && claims.aal !== 'aal2') return false
  await insertHostedIdentity(tx, { ...who, accountId: id, email, firstSessionId: null, claimedAt: claims.iat, at })
  await announceChangedAccount(tx, id, at)
  const detail = { provider: who.issuer }
  await recordAudit(tx, { action: 'identity.linked', at, actorId: id, accountId: id, detail })
  return true
}
