import { randomUUID } from 'node:crypto'
import { ContractError } from '@groundswell/contract/errors.ts'
import { inWorkspace, type Tx, withoutWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { insertWorkspace } from '../../workspaces/index.ts'
import { admit } from '../account/admit.ts'
import { type AccountRow, findAccount, lockAccount } from '../account/store.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { factorsOf } from '../factors/store.ts'
import type { From } from '../sessions/issue-session.ts'
import { noticeAccount } from '../sessions/notices.ts'
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

/** The call by which somebody is first seen, when it is one of the form: only that can make the first admin. */
export type Arrival = { request: From; setupToken: string | undefined }

const MAX_NAME_LENGTH = 200

/**
 * Gives a person of the hosted project an account here: a new one with an empty workspace of its own, as SIGNUP allows; or one
 * of our own server with the same e-mail address, if both sides have verified that address. Throws `signup_closed`.
 */
export async function firstSight(
  services: Services,
  claims: HostedClaims,
  person: Person,
  arrival: Arrival | null,
): Promise<HostedAccount> {
  const { issuer } = hostedProject(services)
  const who = { issuer, subject: claims.sub }
  const joins = await joinable(services, claims, person)
  const workspaceId = randomUUID()
  return inWorkspace(services.db, workspaceId, async (tx) => {
    await lockSubject(tx, who)
    const found = await findHosted(tx, who)
    if (found) return found
    if (!(joins && (await join(services, tx, claims, joins, who)))) {
      const isAdmin = await admitted(services, tx, person, arrival)
      await make(services, tx, claims, person, { ...who, workspaceId, isAdmin })
    }
    const made = await findHosted(tx, who)
    if (!made) throw new Error('the account that was just made cannot be read')
    return made
  })
}

/** The name that a token gives its person; null when it gives none. */
export function nameIn({ user_metadata: said }: HostedClaims): string | null {
  for (const name of [said['name'], said['full_name']]) {
    if (typeof name === 'string' && name.trim() !== '') return name.trim().slice(0, MAX_NAME_LENGTH)
  }
  return null
}

async function make(
  services: Services,
  tx: Tx,
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
  const session = { firstSessionId: claims.session_id, toldAt: claims.iat, at }
  await insertHostedIdentity(tx, { issuer, subject, accountId, email, ...session })
  const detail = { provider: issuer }
  await recordAudit(tx, { action: 'account.created', at, actorId: accountId, accountId, workspaceId, detail })
}

/** Whether the new account is to be an admin. Throws `signup_closed` for one that the policy does not let in. */
async function admitted(services: Services, tx: Tx, person: Person, arrival: Arrival | null): Promise<boolean> {
  const { signup } = services.config
  const isWelcome = signup === 'open' || (signup === 'invite' && person.wasInvited)
  if (arrival === null) {
    if (isWelcome) return false
    throw new ContractError('signup_closed', 'New accounts are not let in here: ask an admin')
  }
  try {
    return await admit(tx, services, arrival.request, arrival.setupToken)
  } catch (error) {
    if (isWelcome && error instanceof ContractError && error.code === 'signup_closed') return false
    throw error
  }
}

/** The account of our own server that this person may be given, as far as can be said without a lock. */
async function joinable(services: Services, claims: HostedClaims, person: Person): Promise<AccountRow | null> {
  const email = claims.email.toLowerCase()
  if (email === '' || person.confirmedEmail !== email) return null
  // Addresses that count as confirmed unseen prove nothing.
  if (services.config.authAutoconfirm === true) return null
  const account = await withoutWorkspace(services.db, (tx) => findAccount(tx, email))
  if (!account?.emailConfirmedAt) return null
  return (await confirmsByMail(services)) ? account : null
}

/** Joins an account of our own. False when it has changed meanwhile, is another person's, or is protected by more. */
async function join(
  services: Services,
  tx: Tx,
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
  await insertHostedIdentity(tx, { ...who, accountId: id, email, firstSessionId: null, toldAt: claims.iat, at })
  await noticeAccount(tx, id, at)
  const detail = { provider: who.issuer }
  await recordAudit(tx, { action: 'identity.linked', at, actorId: id, accountId: id, detail })
  return true
}
