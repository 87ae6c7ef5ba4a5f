import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Authenticate, Caller } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { changeAccount } from '../account/store.ts'
import { knownTokens } from '../sessions/known-tokens.ts'
import { verifyBearer } from '../sessions/verify-bearer.ts'
import { createOrLinkAccount, type FormRequest, nameIn } from './first-sign-in.ts'
import { type Person, readPerson } from './person.ts'
import { hostedProject } from './project.ts'
import { findHosted, type HostedAccount, updateHostedIdentity } from './store.ts'
import { type HostedClaims, verifyHostedToken } from './verify-token.ts'

/** A sign-in at the second level passes whatever else the person has set up. */
const NO_FURTHER_FACTOR: Person = { confirmedEmail: null, hasSecondFactor: false, wasInvited: false }

/**
 * Who an access token of the hosted project belongs to here. A token is judged once in a process and then known until it
 * expires, unless its sign-in is ended here or its account changes. Throws `not_ready` when the project is needed and cannot
 * be reached, so that nobody is signed out for it.
 */
export function authenticateHosted(services: Services): Authenticate {
  return (token) => hostedCaller(services, token, null)
}

/** The same for a token that the form has just brought. */
export function hostedCaller(services: Services, token: string, form: FormRequest | null): Promise<Caller | null> {
  return verifyBearer(services, token, async () => {
    const claims = await verifyHostedToken(services, token)
    if (!claims || knownTokens(services).hasEnded(claims.session_id)) return null
    const caller = await callerOf(services, claims, token, form)
    return caller && { caller, expiresAt: claims.exp * 1_000 }
  })
}

async function callerOf(
  services: Services,
  claims: HostedClaims,
  token: string,
  form: FormRequest | null,
): Promise<Caller | null> {
  const who = { issuer: hostedProject(services).issuer, subject: claims.sub }
  const known = await withoutWorkspace(services.db, (tx) => findHosted(tx, who))
  // Deleted here after this token was issued: only a newer token makes another account.
  if (!known && knownTokens(services).hasChanged(claims.sub, claims.iat * 1_000)) return null
  // A token says by how many factors it came, and not whether the person has more.
  const person = known && claims.aal === 'aal2' ? NO_FURTHER_FACTOR : await readPerson(services, token)
  if (!person) return null
  const seen = known ?? (await createOrLinkAccount(services, claims, person, form))
  const account = await withLatestProfile(services, seen, claims)
  if (account.bannedUntil !== null && account.bannedUntil > services.now()) return null
  return {
    accountId: account.accountId,
    workspaceId: account.workspaceId,
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

/** Name and address are the hosted project's to change; the newest token says what they are. */
async function withLatestProfile(
  services: Services,
  account: HostedAccount,
  claims: HostedClaims,
): Promise<HostedAccount> {
  if (claims.iat < account.claimedAt) return account
  const name = nameIn(claims) ?? account.name
  const email = claims.email.toLowerCase()
  if (name === account.name && email === account.claimedEmail) return account
  // The address of a joined account stays what our own server knows it by.
  const change = account.issuer === null ? { name } : { name, email }
  const who = { issuer: hostedProject(services).issuer, subject: claims.sub }
  const at = services.now()
  await withoutWorkspace(services.db, async (tx) => {
    if (await updateHostedIdentity(tx, who, { email, claimedAt: claims.iat, at })) {
      await changeAccount(tx, account.accountId, change, at)
    }
  })
  return { ...account, ...change }
}
