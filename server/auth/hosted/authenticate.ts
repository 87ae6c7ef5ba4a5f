import { inAccount, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Authenticate, Caller } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { giveWorkspace } from '../account/give-workspace.ts'
import { changeAccount } from '../account/store.ts'
import { knownTokens } from '../sessions/known-tokens.ts'
import { verifyBearer } from '../sessions/verify-bearer.ts'
import { createOrLinkAccount, type FormRequest, nameIn } from './first-sign-in.ts'
import { type Person, readPerson } from './person.ts'
import { hostedProject } from './project.ts'
import { findHosted, type HostedAccount, updateHostedIdentity } from './store.ts'
import { type HostedClaims, isKeyPublished, verifyHostedToken } from './verify-token.ts'

/** An aal2 session passes regardless of the person's factors. */
const NO_FURTHER_FACTOR: Person = { confirmedEmail: null, hasSecondFactor: false, wasInvited: false }

/**
 * The caller of the hosted project's access token. A token is verified once per process and then cached until it expires,
 * unless its session ends here, its account changes or its key is withdrawn. Throws `not_ready` when the project is needed and cannot be reached,
 * so that an outage signs no one out.
 */
export function authenticateHosted(services: Services): Authenticate {
  return (token) => hostedCaller(services, token, null)
}

/** The same for a token that the login or sign-up form has just obtained. */
export function hostedCaller(services: Services, token: string, form: FormRequest | null): Promise<Caller | null> {
  const verify = async () => {
    const claims = await verifyHostedToken(services, token)
    if (!claims || knownTokens(services).hasEnded(claims.session_id)) return null
    const caller = await callerOf(services, claims, token, form)
    return caller && { caller, issuedAt: claims.iat * 1_000, expiresAt: claims.exp * 1_000 }
  }
  return verifyBearer(services, token, verify, () => isKeyPublished(services, token))
}

async function callerOf(
  services: Services,
  claims: HostedClaims,
  token: string,
  form: FormRequest | null,
): Promise<Caller | null> {
  const who = { issuer: hostedProject(services).issuer, subject: claims.sub }
  const known = await withoutWorkspace(services.db.accounts, (tx) => findHosted(tx, who))
  // The account was deleted here after this token was issued: only a newer token creates another one.
  if (!known && knownTokens(services).hasChanged(claims.sub, claims.iat * 1_000)) return null
  // A token states the session's level, not whether the person has a second factor.
  const person = known && claims.aal === 'aal2' ? NO_FURTHER_FACTOR : await readPerson(services, token)
  if (!person) return null
  const seen = known ?? (await createOrLinkAccount(services, claims, person, form))
  const account = await withLatestProfile(services, seen, claims)
  if (account.bannedUntil !== null && account.bannedUntil > services.now()) return null
  return {
    accountId: account.accountId,
    ...(await placeOf(services, account)),
    isAdmin: account.isAdmin,
    name: account.name,
    email: claims.email,
    session: {
      id: claims.session_id,
      aal: claims.aal,
      isFirst: account.firstSessionId === claims.session_id,
      needsSecondFactor: claims.aal === 'aal1' && person.hasSecondFactor,
    },
  }
}

/** Where the account works and as what: a new workspace of its own when it is in none. */
async function placeOf(services: Services, account: HostedAccount): Promise<Pick<Caller, 'workspaceId' | 'role'>> {
  const { accountId, workspaceId, role } = account
  if (workspaceId !== null && role !== null) return { workspaceId, role }
  const given = await inAccount(services.db.accounts, accountId, (tx) => giveWorkspace(tx, accountId, services.now()))
  return { workspaceId: given, role: 'owner' }
}

/** The hosted project owns name and address; the newest token has the current ones. */
async function withLatestProfile(
  services: Services,
  account: HostedAccount,
  claims: HostedClaims,
): Promise<HostedAccount> {
  if (claims.iat < account.claimedAt) return account
  const name = nameIn(claims) ?? account.name
  const email = claims.email.toLowerCase()
  if (name === account.name && email === account.claimedEmail) return account
  // A linked account keeps the address that our own server verified.
  const change = account.issuer === null ? { name } : { name, email }
  const who = { issuer: hostedProject(services).issuer, subject: claims.sub }
  const at = services.now()
  await withoutWorkspace(services.db.accounts, async (tx) => {
    if (await updateHostedIdentity(tx, who, { email, claimedAt: claims.iat, at })) {
      await changeAccount(tx, account.accountId, change, at)
    }
  })
  return { ...account, ...change }
}
