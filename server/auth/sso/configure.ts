import type { SsoRole } from '@groundswell/contract/accounts/single-sign-on.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { isRefusedHost } from '../../features/connections/index.ts'
import { lockMembers, rolesIn } from '../../features/workspaces/index.ts'
import { type AccountTx, inWorkspace } from '../../platform/db/tenant.ts'
import type { Caller, RequestFacts } from '../../platform/http/handle.ts'
import { open, SealError, seal } from '../../platform/secrets/seal.ts'
import type { Services } from '../../platform/services.ts'
import { type IdentityRow, identitiesOf } from '../account/store.ts'
import { recordAudit } from '../record-audit.ts'
import { knownTokens } from '../sessions/known-tokens.ts'
import { announceChangedMember } from '../sessions/notice-store.ts'
import { endSessions } from '../sessions/store.ts'
import { isLoopback } from '../site-url.ts'
import { requireOwner } from '../team/owners.ts'
import { keepIndependentOwner } from './independent-owner.ts'
import { deleteProvider, findProvider, type ProviderRow, putProvider } from './store.ts'

type Origin = Pick<RequestFacts, 'address' | 'headers'>

/** The input of an owner. Without a `clientSecret` the stored one is kept. */
export type GivenProvider = {
  issuer: string
  clientId: string
  clientSecret?: string | undefined
  domains: string[]
  defaultRole: SsoRole
}

/** The cached accounts and sessions that every process must read again once the transaction has committed. */
type Changed<T> = { accounts: string[]; sessions: string[]; result: T }

/** What a sealed client secret belongs to. */
export function sealedForProvider(workspaceId: string): string {
  return `sso_provider:${workspaceId}`
}

/** The canonical spelling of an issuer, whose address may be entered with or without a trailing slash. */
export function canonicalIssuer(issuer: string): string {
  return new URL(issuer).href
}

/** The name of an issuer among the providers of identities. It has no meaning for sign-in with Google or a hosted project. */
export function identityProvider(issuer: string): string {
  return `sso:${canonicalIssuer(issuer)}`
}

/** Whether an identity was last used with this client. Some providers use a different subject for each client. */
export function isOfClient(
  { issuer, clientId }: Pick<ProviderRow, 'issuer' | 'clientId'>,
  { provider, data }: Pick<IdentityRow, 'provider' | 'data'>,
): boolean {
  return provider === identityProvider(issuer) && data['client_id'] === clientId
}

/** The provider of the caller's workspace, and whether they have an identity there. */
export function readSso(
  services: Services,
  { workspaceId, accountId }: Caller,
): Promise<{ provider: ProviderRow | null; linked: boolean }> {
  return inWorkspace(services.db.accounts, workspaceId, async (tx) => {
    const provider = await findProvider(tx, workspaceId)
    const own = provider ? await identitiesOf(tx, accountId) : []
    return { provider, linked: own.some((one) => provider && isOfClient(provider, one)) }
  })
}

/**
 * Stores the provider of the caller's workspace. Another issuer or client is another provider: sessions created through the previous one end, and it
 * must be tested and turned on again. Throws `invalid_input`, `forbidden`, and `conflict` while single sign-on is required.
 */
export async function saveSso(
  services: Services,
  caller: Caller,
  given: GivenProvider,
  request: Origin,
): Promise<ProviderRow> {
  const { workspaceId } = caller
  await refuseIssuer(services, given.issuer)
  return changeSso(services, caller, async (tx, at) => {
    const before = await findProvider(tx, workspaceId)
    const isOther =
      !before || canonicalIssuer(before.issuer) !== canonicalIssuer(given.issuer) || before.clientId !== given.clientId
    if (isOther && before?.required) {
      throw new ContractError('conflict', 'Stop requiring single sign-on before you change the provider')
    }
    if (given.clientSecret === undefined && (isOther || before.sealedSecret === null)) {
      throw new ContractError('invalid_input', 'Enter the client secret', { client_secret: 'is missing' })
    }
    const sealedSecret =
      given.clientSecret === undefined
        ? (before?.sealedSecret ?? null)
        : seal(services.key, given.clientSecret, sealedForProvider(workspaceId))
    const isSame = before !== null && given.clientSecret === undefined
    const row: ProviderRow = {
      workspaceId,
      issuer: given.issuer,
      clientId: given.clientId,
      sealedSecret,
      domains: [...new Set(given.domains)],
      defaultRole: given.defaultRole,
      enabled: !isOther && (before?.enabled ?? false),
      required: !isOther && (before?.required ?? false),
      changedAt: isSame ? before.changedAt : at,
      testedAt: isSame ? before.testedAt : null,
    }
    await putProvider(tx, row)
    const ended = isOther && before ? await endSsoSessions(tx, workspaceId, at) : nothingEnded
    await record(tx, caller, 'sso.saved', at, request, {
      issuer: row.issuer,
      client: row.clientId,
      secret: given.clientSecret === undefined ? 'kept' : 'replaced',
      domains: row.domains.join(' '),
      role: row.defaultRole,
    })
    return { ...ended, result: row }
  })
}

/**
 * Turns the single sign-on of the caller's workspace on or off, and requires it. Throws `forbidden`, `not_found`, and `conflict` before a test
 * succeeded, and where no owner could sign in without it.
 */
export function switchSso(
  services: Services,
  caller: Caller,
  { enabled, required }: { enabled: boolean; required: boolean },
  request: Origin,
): Promise<void> {
  const { workspaceId } = caller
  if (required && !enabled) throw new ContractError('invalid_input', 'Turn single sign-on on before you require it')
  return changeSso(services, caller, async (tx, at) => {
    const before = await findProvider(tx, workspaceId)
    if (!before) throw new ContractError('not_found', 'Single sign-on is not set up')
    if (enabled && !before.enabled && !before.testedAt) {
      throw new ContractError('conflict', 'Test the sign-in before you turn it on')
    }
    await putProvider(tx, { ...before, enabled, required })
    await keepIndependentOwner(tx, workspaceId)
    const ended = enabled ? nothingEnded : await endSsoSessions(tx, workspaceId, at)
    // The access token says whether a session may continue: every member's is read again.
    const accounts = (await rolesIn(tx, workspaceId)).map(({ accountId }) => accountId)
    for (const accountId of accounts) await announceChangedMember(tx, accountId, at)
    await record(tx, caller, 'sso.switched', at, request, { enabled, required })
    return { accounts, sessions: ended.sessions, result: undefined }
  })
}

/** Removes the provider of the caller's workspace, and ends the sessions made by it. Throws `forbidden` and `not_found`. */
export function removeSso(services: Services, caller: Caller, request: Origin): Promise<void> {
  const { workspaceId } = caller
  return changeSso(services, caller, async (tx, at) => {
    const before = await findProvider(tx, workspaceId)
    if (!before || !(await deleteProvider(tx, workspaceId))) {
      throw new ContractError('not_found', 'Single sign-on is not set up')
    }
    const { sessions } = await endSsoSessions(tx, workspaceId, at)
    const accounts = (await rolesIn(tx, workspaceId)).map(({ accountId }) => accountId)
    for (const accountId of accounts) await announceChangedMember(tx, accountId, at)
    await record(tx, caller, 'sso.removed', at, request, { issuer: before.issuer, sessions: sessions.length })
    return { accounts, sessions, result: undefined }
  })
}

/** The client secret of a provider; null when no known key opens it. */
export function openSecret(services: Pick<Services, 'key'>, { workspaceId, sealedSecret }: ProviderRow): string | null {
  if (sealedSecret === null) return null
  try {
    return open(services.key, sealedSecret, sealedForProvider(workspaceId))
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}

const nothingEnded = { accounts: [], sessions: [] }

/** One change at a time, by an owner; it takes effect in this process at once. */
async function changeSso<T>(
  services: Services,
  caller: Caller,
  work: (tx: AccountTx, at: Date) => Promise<Changed<T>>,
): Promise<T> {
  const { workspaceId } = caller
  const { accounts, sessions, result, at } = await inWorkspace(services.db.accounts, workspaceId, async (tx) => {
    await lockMembers(tx, workspaceId)
    await requireOwner(tx, caller)
    const now = services.now()
    return { ...(await work(tx, now)), at: now }
  })
  const known = knownTokens(services)
  known.note('session', sessions, at)
  known.noteMembers(accounts, at)
  return result
}

/** Ends every session that the provider of the workspace made. */
async function endSsoSessions(
  tx: AccountTx,
  workspaceId: string,
  at: Date,
): Promise<{ accounts: string[]; sessions: string[] }> {
  const sessions: string[] = []
  for (const { accountId } of await rolesIn(tx, workspaceId)) {
    sessions.push(...(await endSessions(tx, accountId, at, { workspaceId, bySso: true })))
  }
  return { accounts: [], sessions }
}

/** Issuers of Entra ID for all organisations: the administrator of any of them chooses which addresses it states. */
const EVERYONE = /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)(\/|$)/i

/**
 * The address must be one whose documents cannot be changed on the way, and a public one: this server fetches them for whoever owns a workspace. Both
 * this machine, for which plain http is enough, and private hosts have to be listed in WEBHOOK_ALLOW.
 */
async function refuseIssuer(services: Services, issuer: string): Promise<void> {
  const url = URL.parse(issuer)
  const isSafe = url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)))
  if (!isSafe || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw badIssuer('must be an https address without a user name, query or fragment')
  }
  // The same provider under a second name: people are known, and Google is recognised, by the first.
  if (url.pathname.includes('/.well-known/')) throw badIssuer('must end before /.well-known/')
  if (EVERYONE.test(url.href)) throw badIssuer('must name your tenant: this one is for every organisation')
  if (await isRefusedHost(services, url.href)) {
    throw badIssuer('must be at a public host, or at one that your operator allows (WEBHOOK_ALLOW)')
  }
}

function badIssuer(words: string): ContractError {
  return new ContractError('invalid_input', `The issuer ${words}`, { issuer: words })
}

async function record(
  tx: AccountTx,
  { accountId, workspaceId }: Caller,
  action: 'sso.saved' | 'sso.switched' | 'sso.removed',
  at: Date,
  request: Origin,
  detail: Record<string, string | number | boolean>,
): Promise<void> {
  await recordAudit(tx, { action, at, actorId: accountId, accountId, workspaceId, request, detail })
}
