import { ContractError } from '@groundswell/contract/errors.ts'
import { inAccount, type Tx, withoutWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { admit } from '../account/admit.ts'
import { makeAccount } from '../account/create-account.ts'
import { findAccount, findAccountById, identitiesOf, lockAccount } from '../account/store.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { makeCode, type ProviderTokens } from '../codes/code-flow.ts'
import { type From, type IssuedSession, issueSession } from '../sessions/issue-session.ts'
import type { GooglePerson } from './provider.ts'
import { accountOfIdentity, putIdentity } from './store.ts'

const PROVIDER = 'google'

/** Why somebody whom the provider knows is not signed in. */
export type GoogleRefusal = 'banned' | 'unverified' | 'unconfirmed' | 'taken' | 'closed'

/** How it ends: with the tokens themselves, or with a code that only the client that began it can exchange. */
export type GoogleOutcome = { session: IssuedSession } | { code: string } | { refused: GoogleRefusal }

/** How the sign-in was begun, and what the provider gave for the client. */
export type Ending = { codeChallenge: string | null; redirectTo: string; provided: ProviderTokens }

/**
 * Signs in whom the provider vouches for: by who they are there, else by an e-mail address that the provider verified. That
 * leads into an account that exists only if the account's own e-mail address is confirmed, since otherwise whoever typed
 * the address first would get at what its owner keeps, and if it is nobody else's there: addresses are given away. Else it makes an account, as the sign-up policy allows.
 */
export async function signInByGoogle(
  services: Services,
  person: GooglePerson,
  ending: Ending,
  request: From,
): Promise<GoogleOutcome> {
  const known = await withoutWorkspace(services.db, (tx) => accountOfIdentity(tx, PROVIDER, person.subject))
  if (known !== null) return inAccount(services.db, known, (tx) => enter(services, tx, known, person, ending, request))
  const { email } = person
  if (email === null || !person.emailVerified) return { refused: 'unverified' }
  const existing = await withoutWorkspace(services.db, (tx) => findAccount(tx, email))
  if (!existing) return makeFromGoogle(services, { ...person, email }, ending, request)
  if (existing.emailConfirmedAt === null) return { refused: 'unconfirmed' }
  return inAccount(services.db, existing.id, async (tx) => {
    const account = await lockAccount(tx, existing.id)
    if (!account || account.email !== email || account.emailConfirmedAt === null) return { refused: 'unconfirmed' }
    const others = (await identitiesOf(tx, account.id)).filter(({ provider }) => provider === PROVIDER)
    if (others.some(({ subject }) => subject !== person.subject)) return { refused: 'taken' }
    const at = services.now()
    const detail = { provider: PROVIDER }
    await recordAudit(tx, {
      action: 'identity.linked',
      at,
      actorId: account.id,
      accountId: account.id,
      request,
      detail,
    })
    return enter(services, tx, account.id, person, ending, request)
  })
}

async function enter(
  services: Services,
  tx: Tx,
  accountId: string,
  person: GooglePerson,
  ending: Ending,
  request: From,
): Promise<GoogleOutcome> {
  const at = services.now()
  const account = await findAccountById(tx, accountId)
  if (!account) throw new Error(`account ${accountId} is gone`)
  if (account.bannedUntil !== null && account.bannedUntil > at) {
    const detail = { why: 'banned', method: 'oauth' }
    await recordAudit(tx, { action: 'session.refused', at, actorId: null, accountId, request, detail })
    return { refused: 'banned' }
  }
  await putIdentity(tx, identityOf(accountId, person, at))
  return finish(services, tx, accountId, ending, request, false)
}

async function makeFromGoogle(
  services: Services,
  person: GooglePerson & { email: string },
  ending: Ending,
  request: From,
): Promise<GoogleOutcome> {
  const name = person.name ?? person.email.split('@')[0] ?? person.email
  const userMetadata = {
    ...(person.name === null ? {} : { name: person.name, full_name: person.name }),
    ...(person.picture === null ? {} : { avatar_url: person.picture, picture: person.picture }),
  }
  try {
    return await makeAccount(
      services,
      { email: person.email, name, password: null, confirmed: true, userMetadata },
      (tx) => admit(tx, services, request, undefined),
      async (tx, { accountId, workspaceId }) => {
        const at = services.now()
        const detail = { provider: PROVIDER }
        await recordAudit(tx, {
          action: 'account.created',
          at,
          actorId: accountId,
          accountId,
          workspaceId,
          request,
          detail,
        })
        await putIdentity(tx, identityOf(accountId, person, at))
        return finish(services, tx, accountId, ending, request, true)
      },
    )
  } catch (error) {
    if (!(error instanceof ContractError)) throw error
    if (error.code === 'signup_closed') return { refused: 'closed' }
    // Made by another call a moment ago: now it is there.
    if (error.code === 'signup_refused') return signInByGoogle(services, person, ending, request)
    throw error
  }
}

async function finish(
  services: Services,
  tx: Tx,
  accountId: string,
  { codeChallenge, redirectTo, provided }: Ending,
  request: From,
  isFirst: boolean,
): Promise<GoogleOutcome> {
  if (codeChallenge !== null) {
    const code = await makeCode(services, tx, {
      accountId,
      provider: PROVIDER,
      method: 'oauth',
      codeChallenge,
      redirectTo,
      isFirst,
      provided,
    })
    return { code }
  }
  const session = await issueSession(services, tx, accountId, { methods: ['oauth'], request, isFirst })
  const detail = { method: 'oauth', session_id: session.sessionId }
  const at = services.now()
  await recordAudit(tx, { action: 'session.started', at, actorId: accountId, accountId, request, detail })
  return { session }
}

function identityOf(accountId: string, { subject, email, emailVerified, name, picture }: GooglePerson, at: Date) {
  const data = { sub: subject, email, email_verified: emailVerified, name, picture, provider_id: subject }
  return { accountId, provider: PROVIDER, subject, email, data, at }
}
