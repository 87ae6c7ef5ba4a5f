import { ContractError } from '@groundswell/contract/errors.ts'
import { type AccountTx, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { claimAddress } from '../account/claim.ts'
import { makeAccount } from '../account/create-account.ts'
import {
  type AccountRow,
  changeAccount,
  findAccount,
  findAccountById,
  identitiesOf,
  lockAccount,
} from '../account/store.ts'
import { makeCode, type ProviderTokens } from '../codes/code-flow.ts'
import type { OpenIdPerson } from '../openid/provider.ts'
import { recordAudit } from '../record-audit.ts'
import { type IssuedSession, issueSession, type RequestOrigin } from '../sessions/issue-session.ts'
import { inSignIn } from '../sessions/sign-in-transaction.ts'
import { admit } from '../sign-up/admit.ts'
import { accountOfIdentity, putIdentity } from './store.ts'

const PROVIDER = 'google'

/** Why a person whom the provider identified is not signed in. */
export type GoogleRefusal = 'banned' | 'unverified' | 'unconfirmed' | 'taken' | 'closed'

/** The result: the session itself, or a code that only the client that started the sign-in can exchange. */
export type GoogleOutcome = { session: IssuedSession } | { code: string } | { refused: GoogleRefusal }

/** How the sign-in was started, and the provider's tokens for the client. */
export type Ending = { codeChallenge: string | null; redirectTo: string; provided: ProviderTokens }

/**
 * Signs in the person whom the provider identified: by their subject there, else by an e-mail address that the provider
 * verified. If the account with that address never proved it, the person gets the address and a new, empty account, as with a
 * mailed link: the person who entered the address first must not get access to its owner's data. A proven account is signed in to
 * unless it belongs to another person at the provider, since addresses are reassigned. Without an account one is created, as
 * the sign-up policy allows.
 */
export async function signInByGoogle(
  services: Services,
  person: OpenIdPerson,
  ending: Ending,
  request: RequestOrigin,
): Promise<GoogleOutcome> {
  const known = await withoutWorkspace(services.db.accounts, (tx) => accountOfIdentity(tx, PROVIDER, person.subject))
  if (known !== null)
    return inSignIn(services, { accountId: known }, (tx) => enter(services, tx, known, person, ending, request))
  const { email } = person
  if (email === null || !person.emailVerified) return { refused: 'unverified' }
  const existing = await withoutWorkspace(services.db.accounts, (tx) => findAccount(tx, email))
  if (!existing) return makeFromGoogle(services, { ...person, email }, ending, request)
  return inSignIn(services, { accountId: existing.id }, async (tx) => {
    const account = await lockAccount(tx, existing.id)
    if (!account || account.email !== email) return { refused: 'unconfirmed' }
    if (isBanned(account, services.now())) return refuseBanned(tx, account.id, services.now(), request)
    if (account.emailProvenAt === null) return claim(services, tx, account, person, ending, request)
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
    if (account.emailConfirmedAt === null) await changeAccount(tx, account.id, { emailConfirmedAt: at }, at)
    return enter(services, tx, account.id, person, ending, request)
  })
}

async function enter(
  services: Services,
  tx: AccountTx,
  accountId: string,
  person: OpenIdPerson,
  ending: Ending,
  request: RequestOrigin,
): Promise<GoogleOutcome> {
  const at = services.now()
  const account = await findAccountById(tx, accountId)
  if (!account) throw new Error(`account ${accountId} is gone`)
  if (isBanned(account, at)) return refuseBanned(tx, accountId, at, request)
  await putIdentity(tx, identityOf(accountId, person, at))
  return finish(services, tx, accountId, ending, request, false)
}

function isBanned({ bannedUntil }: AccountRow, at: Date): boolean {
  return bannedUntil !== null && bannedUntil > at
}

async function refuseBanned(
  tx: AccountTx,
  accountId: string,
  at: Date,
  request: RequestOrigin,
): Promise<GoogleOutcome> {
  const detail = { why: 'banned', method: 'oauth' }
  await recordAudit(tx, { action: 'session.refused', at, actorId: null, accountId, request, detail })
  return { refused: 'banned' }
}

/** Transfers the address of an account that never proved it to the person whom the provider identified. */
async function claim(
  services: Services,
  tx: AccountTx,
  account: AccountRow,
  person: OpenIdPerson,
  ending: Ending,
  request: RequestOrigin,
): Promise<GoogleOutcome> {
  const at = services.now()
  const owner = { ...profileOf(person, account.email), passwordHash: null }
  const accountId = await claimAddress(tx, account, owner, { at, request })
  await putIdentity(tx, identityOf(accountId, person, at))
  return finish(services, tx, accountId, ending, request, true)
}

/** The provider's profile of a person, as an account stores it. */
function profileOf({ name, picture }: OpenIdPerson, email: string) {
  const userMetadata: Record<string, unknown> = {
    ...(name === null ? {} : { name, full_name: name }),
    ...(picture === null ? {} : { avatar_url: picture, picture }),
  }
  return { name: name ?? email.split('@')[0] ?? email, userMetadata }
}

async function makeFromGoogle(
  services: Services,
  person: OpenIdPerson & { email: string },
  ending: Ending,
  request: RequestOrigin,
): Promise<GoogleOutcome> {
  const { name, userMetadata } = profileOf(person, person.email)
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
    // A concurrent call has just created it.
    if (error.code === 'signup_refused') return signInByGoogle(services, person, ending, request)
    throw error
  }
}

async function finish(
  services: Services,
  tx: AccountTx,
  accountId: string,
  { codeChallenge, redirectTo, provided }: Ending,
  request: RequestOrigin,
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

function identityOf(accountId: string, { subject, email, emailVerified, name, picture }: OpenIdPerson, at: Date) {
  const data = { sub: subject, email, email_verified: emailVerified === true, name, picture, provider_id: subject }
  return { accountId, provider: PROVIDER, subject, email, data, at }
}
