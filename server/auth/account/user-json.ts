import type { AccountTx } from '../../platform/db/tenant.ts'
import { type AccountRow, factorSummaries, findAccountById, type IdentityRow, identitiesOf } from './store.ts'

/** An account in the format of Supabase Auth. */
export type UserJson = Record<string, unknown> & { id: string; email: string }

/** The account as a Supabase Auth user; null when there is none. */
export async function readUser(tx: AccountTx, accountId: string): Promise<UserJson | null> {
  const account = await findAccountById(tx, accountId)
  return account ? userJson(tx, account) : null
}

/** The same for an account that is already loaded. */
export async function userJson(tx: AccountTx, account: AccountRow): Promise<UserJson> {
  const identities = await identitiesOf(tx, account.id)
  const factors = await factorSummaries(tx, account.id)
  return {
    ...plainUser(account, identities),
    ...(factors.length > 0 ? { factors } : {}),
  }
}

/** The operator's metadata of the account, with `provider` and `providers`: how it can sign in. */
export async function readAppMetadata(tx: AccountTx, account: AccountRow): Promise<Record<string, unknown>> {
  return appMetadata(account, await identitiesOf(tx, account.id))
}

/**
 * Returned in place of an existing account, so that the reply does not reveal that it exists: a new user without identities,
 * which is how the official client recognizes the case.
 */
export function decoyUser(id: string, email: string, data: Record<string, unknown>, at: Date): UserJson {
  const now = at.toISOString()
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    confirmation_sent_at: now,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: data,
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  }
}

function plainUser(account: AccountRow, identities: readonly IdentityRow[]): UserJson {
  const confirmed = account.emailConfirmedAt?.toISOString()
  return {
    id: account.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: account.email,
    ...(confirmed ? { email_confirmed_at: confirmed, confirmed_at: confirmed } : {}),
    phone: '',
    ...time('invited_at', account.invitedAt),
    ...time('confirmation_sent_at', account.confirmationSentAt),
    ...time('recovery_sent_at', account.recoverySentAt),
    ...(account.newEmail === null ? {} : { new_email: account.newEmail }),
    ...time('email_change_sent_at', account.emailChangeSentAt),
    ...time('last_sign_in_at', account.lastSignInAt),
    app_metadata: appMetadata(account, identities),
    user_metadata: account.userMetadata,
    identities: [...(account.passwordHash === null ? [] : [emailIdentity(account)]), ...identities.map(identityJson)],
    created_at: account.createdAt.toISOString(),
    updated_at: account.updatedAt.toISOString(),
    is_anonymous: false,
    ...time('banned_until', account.bannedUntil),
  }
}

function appMetadata(account: AccountRow, identities: readonly IdentityRow[]): Record<string, unknown> {
  const providers = [...(account.passwordHash === null ? [] : ['email']), ...identities.map((one) => one.provider)]
  return { ...account.appMetadata, provider: providers[0] ?? 'email', providers: [...new Set(providers)] }
}

/** E-mail and password belong to the account itself, so this identity has the account's id. */
function emailIdentity(account: AccountRow): Record<string, unknown> {
  return {
    identity_id: account.id,
    id: account.id,
    user_id: account.id,
    identity_data: {
      ...account.userMetadata,
      email: account.email,
      email_verified: account.emailConfirmedAt !== null,
      phone_verified: false,
      sub: account.id,
    },
    provider: 'email',
    last_sign_in_at: (account.lastSignInAt ?? account.createdAt).toISOString(),
    created_at: account.createdAt.toISOString(),
    updated_at: account.updatedAt.toISOString(),
    email: account.email,
  }
}

function identityJson(identity: IdentityRow): Record<string, unknown> {
  return {
    identity_id: identity.id,
    id: identity.subject,
    user_id: identity.accountId,
    identity_data: identity.data,
    provider: identity.provider,
    ...time('last_sign_in_at', identity.lastSignInAt),
    created_at: identity.createdAt.toISOString(),
    updated_at: identity.updatedAt.toISOString(),
    email: identity.email,
  }
}

function time(name: string, at: Date | null): Record<string, string> {
  return at === null ? {} : { [name]: at.toISOString() }
}
