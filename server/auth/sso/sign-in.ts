import { insertMember, lockMembers, roleIn } from '../../features/workspaces/index.ts'
import type { AccountTx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { type AccountRow, findAccount, findAccountById, identitiesOf, insertAccount } from '../account/store.ts'
import { accountOfIdentity, putIdentity } from '../google/store.ts'
import { sendMail } from '../mail/mailer.ts'
import { noticeMessage } from '../mail/messages.ts'
import type { OpenIdPerson } from '../openid/provider.ts'
import { recordAudit } from '../record-audit.ts'
import { type IssuedSession, issueSession, type RequestOrigin } from '../sessions/issue-session.ts'
import { knownTokens } from '../sessions/known-tokens.ts'
import { announceChangedMember } from '../sessions/notice-store.ts'
import { inSignIn } from '../sessions/sign-in-transaction.ts'
import { identityProvider, isOfClient } from './configure.ts'
import { refusalOfAddress } from './join-rule.ts'
import { findProvider, lockPerson, type ProviderRow } from './store.ts'

/**
 * Why a person whom the provider identified is not signed in. `outside`: nobody with their e-mail address may join. `taken`: that address is
 * another account's. `linked-elsewhere`: they are linked to another account. `other-link`: the account is linked to somebody else there.
 */
export type SsoRefusal =
  | 'banned'
  | 'outside'
  | 'unverified'
  | 'taken'
  | 'closed'
  | 'no-member'
  | 'linked-elsewhere'
  | 'other-link'
  | 'changed'

/** A session, and whether its account is new; or why there is none. */
export type SsoOutcome = { session: IssuedSession; isNew: boolean } | { refused: SsoRefusal }

type Entry = {
  services: Services
  tx: AccountTx
  provider: ProviderRow
  person: OpenIdPerson
  request: RequestOrigin
  at: Date
}

/**
 * Signs in the person whom the provider of a workspace identified, by issuer and subject and nothing else: what a provider says about an e-mail
 * address never opens an account that exists. Somebody who is not known there may join if their address is in one of the workspace's domains; the
 * address of the new account counts as unproven, so its owner can claim it.
 */
export function signInBySso(
  services: Services,
  provider: ProviderRow,
  person: OpenIdPerson,
  request: RequestOrigin,
): Promise<SsoOutcome> {
  return inPersonsTurn(services, provider, person, request, async (entry) => {
    const { tx } = entry
    const known = await accountOfIdentity(tx, identityProvider(provider.issuer), person.subject)
    return known === null ? makeBySso(entry) : enter(entry, await findAccountById(tx, known), false)
  })
}

/**
 * Links the person whom the provider identified to the account that asked for it, and signs in to it. Both are proven: the account by the session
 * in which this browser started, the person by the provider.
 */
export async function linkBySso(
  services: Services,
  provider: ProviderRow,
  person: OpenIdPerson,
  accountId: string,
  request: RequestOrigin,
): Promise<SsoOutcome> {
  let linked: AccountRow | null = null
  const outcome = await inPersonsTurn(services, provider, person, request, async (entry): Promise<SsoOutcome> => {
    const { tx, at } = entry
    const name = identityProvider(provider.issuer)
    const known = await accountOfIdentity(tx, name, person.subject)
    if (known !== null && known !== accountId) return { refused: 'linked-elsewhere' }
    const account = await findAccountById(tx, accountId)
    if (!account || (await roleIn(tx, provider.workspaceId, accountId)) === null) return { refused: 'no-member' }
    if (known !== null) return enter(entry, account, false)
    const own = (await identitiesOf(tx, accountId)).filter((one) => isOfClient(entry.provider, one))
    if (own.length > 0) return { refused: 'other-link' }
    const entered = await enter(entry, account, false)
    if ('refused' in entered) return entered
    const by = { at, actorId: accountId, accountId, workspaceId: provider.workspaceId, request }
    await recordAudit(tx, { ...by, action: 'identity.linked', detail: { provider: name } })
    linked = account
    return entered
  })
  if (linked !== null && 'session' in outcome) {
    sendMail(services, (linked as AccountRow).email, noticeMessage('Single sign-on was linked to your account'))
  }
  return outcome
}

/** One sign-in of a person at a time, in a transaction of the workspace, whose provider is read again: an owner may have just turned it off. */
async function inPersonsTurn(
  services: Services,
  { workspaceId, changedAt }: ProviderRow,
  person: OpenIdPerson,
  request: RequestOrigin,
  work: (entry: Entry) => Promise<SsoOutcome>,
): Promise<SsoOutcome> {
  const outcome = await inSignIn(services, { workspaceId }, async (tx): Promise<SsoOutcome> => {
    await lockMembers(tx, workspaceId)
    const provider = await findProvider(tx, workspaceId)
    if (!provider?.enabled || provider.changedAt.getTime() !== changedAt.getTime()) return { refused: 'changed' }
    await lockPerson(tx, identityProvider(provider.issuer), person.subject)
    return work({ services, tx, provider, person, request, at: services.now() })
  })
  if ('session' in outcome && outcome.isNew) {
    knownTokens(services).noteMembers([outcome.session.accountId], services.now())
  }
  return outcome
}

/** Signs in to an account that is linked, and makes it a member where its address allows that. */
async function enter(entry: Entry, account: AccountRow | null, isFirst: boolean): Promise<SsoOutcome> {
  const { services, tx, provider, person, request, at } = entry
  const { workspaceId } = provider
  if (!account) throw new Error('an identity has no account')
  const accountId = account.id
  if (account.bannedUntil !== null && account.bannedUntil > at) {
    const detail = { why: 'banned', method: 'sso' }
    await recordAudit(tx, { action: 'session.refused', at, actorId: null, accountId, workspaceId, request, detail })
    return { refused: 'banned' }
  }
  const isNew = (await roleIn(tx, workspaceId, accountId)) === null
  if (isNew) {
    const refused = refusalOfAddress(provider, person)
    if (refused !== null) return { refused: refused === 'outside' ? 'no-member' : refused }
    await join(entry, accountId)
  }
  await putIdentity(tx, identityOf(provider, accountId, person, at))
  const session = await issueSession(services, tx, accountId, { methods: ['sso'], request, isFirst, sso: workspaceId })
  const detail = { method: 'sso', session_id: session.sessionId }
  await recordAudit(tx, { action: 'session.started', at, actorId: accountId, accountId, workspaceId, request, detail })
  return { session, isNew: isNew || isFirst }
}

async function makeBySso(entry: Entry): Promise<SsoOutcome> {
  const { services, tx, provider, person, request, at } = entry
  const refused = refusalOfAddress(provider, person)
  if (refused !== null) return { refused }
  const email = person.email ?? ''
  if (await findAccount(tx, email)) return { refused: 'taken' }
  if (services.config.signup !== 'open') return { refused: 'closed' }
  const { name, picture } = person
  const row = {
    email,
    name: name ?? email.split('@')[0] ?? email,
    passwordHash: null,
    // Never the first admin: the provider of a workspace must not decide about the installation.
    isAdmin: false,
    emailConfirmedAt: at,
    emailProvenAt: null,
    userMetadata: {
      ...(name === null ? {} : { name, full_name: name }),
      ...(picture === null ? {} : { avatar_url: picture, picture }),
    },
    appMetadata: {},
    invitedAt: null,
  }
  const accountId = await insertAccount(tx, row, at)
  if (accountId === null) return { refused: 'taken' }
  const { workspaceId } = provider
  const detail = { provider: identityProvider(provider.issuer) }
  await recordAudit(tx, { action: 'account.created', at, actorId: accountId, accountId, workspaceId, request, detail })
  await join(entry, accountId)
  return enter(entry, await findAccountById(tx, accountId), true)
}

async function join({ tx, provider, request, at }: Entry, accountId: string): Promise<void> {
  const { workspaceId, defaultRole: role } = provider
  await insertMember(tx, { workspaceId, accountId, role, at })
  await announceChangedMember(tx, accountId, at)
  const by = { at, actorId: accountId, accountId, workspaceId, request }
  await recordAudit(tx, { ...by, action: 'member.joined_by_sso', detail: { role } })
}

function identityOf({ issuer, clientId }: ProviderRow, accountId: string, person: OpenIdPerson, at: Date) {
  const { subject, email, emailVerified, name, picture } = person
  const data = {
    iss: issuer,
    sub: subject,
    client_id: clientId,
    email,
    email_verified: emailVerified === true,
    name,
    picture,
    provider_id: subject,
  }
  return { accountId, provider: identityProvider(issuer), subject, email, data, at }
}
