import { errorCode } from '../../platform/db/retry.ts'
import { type AccountTx, withoutWorkspace } from '../../platform/db/tenant.ts'
import { mailIsOn } from '../../platform/mail/transport.ts'
import type { Services } from '../../platform/services.ts'
import { type AccountChange, changeAccount, findAccount, lockAccount } from '../account/store.ts'
import { useCode } from '../codes/one-time-token.ts'
import { deleteOneTime } from '../codes/store.ts'
import { prepareTokenMail } from '../mail/mail-token.ts'
import { sendMail } from '../mail/mailer.ts'
import { noticeMessage } from '../mail/messages.ts'
import { takeTry, tryPassword } from '../passwords/attempt.ts'
import { passwordHasher } from '../passwords/hash.ts'
import { recordAudit } from '../record-audit.ts'
import { isFresh } from '../sessions/freshness.ts'
import type { RequestOrigin } from '../sessions/issue-session.ts'
import { knownTokens } from '../sessions/known-tokens.ts'
import { endSessions, findLiveSession } from '../sessions/store.ts'
import { type Attempt, refund } from '../throttle/limits.ts'
import { AuthError } from './auth-error.ts'
import type { Current } from './current.ts'
import { spendMail } from './mail-limits.ts'
import { mergedMetadata, nameIn } from './schemas.ts'

/** The changes that a person requests for their account. Null leaves a field as it is. */
export type PersonChange = {
  email: string | null
  password: string | null
  data: Record<string, unknown> | null
  proof: { currentPassword: string | null; nonce: string | null }
  redirectTo: string
  codeChallenge: string | null
  request: RequestOrigin
}

const TAKEN = '23505'

/**
 * Changes a person's own account. A new password or e-mail address requires a session authenticated within ten minutes, the
 * current password, or a mailed code. A new password ends all other sessions. A new e-mail address takes effect when its
 * mailed link is opened; without a mail server it takes effect immediately, unconfirmed. The current mailbox is notified of
 * both.
 */
export async function changePerson(services: Services, current: Current, change: PersonChange): Promise<void> {
  const { account } = current
  const { request } = change
  const email = change.email === account.email ? null : change.email
  if (email !== null || change.password !== null) await demandProof(services, current, change)
  const confirmsByMail = email !== null && !changesImmediately(services)
  const holder = email === null ? null : await withoutWorkspace(services.db.accounts, (tx) => findAccount(tx, email))
  // An account that never proved an address cannot block its owner, once the owner's mailbox confirms the change.
  if (holder && (holder.emailProvenAt !== null || !confirmsByMail)) throw emailTaken()
  if (confirmsByMail) await spendMail(services, `email_change ${email}`, request)
  const attempts = change.password === null ? [] : await refuseSamePassword(services, current, change.password, request)
  const passwordHash = change.password === null ? null : await passwordHasher(services).hash(change.password)
  const at = services.now()
  const sends = await withoutWorkspace(services.db.accounts, async (tx) => {
    const now = await lockAccount(tx, account.id)
    if (!now) throw new AuthError('user_not_found', 'This account no longer exists')
    // The session may have ended in the meantime: by a new password, or by a transfer to the owner of the address.
    if (!(await findLiveSession(tx, current.session.id, at))) {
      throw new AuthError('session_not_found', 'This session has ended')
    }
    const event = { at, actorId: account.id, accountId: account.id, workspaceId: current.session.workspaceId, request }
    const sends: (() => void)[] = []
    const set: AccountChange = { ...dataChange(now.userMetadata, change.data) }
    if (passwordHash !== null) {
      set.passwordHash = passwordHash
      await endSessions(tx, account.id, at, { except: current.session.id })
      await deleteOneTime(tx, account.id, 'recovery')
      await recordAudit(tx, { ...event, action: 'password.changed' })
      sends.push(() => sendMail(services, account.email, noticeMessage('Your password was changed')))
    }
    if (confirmsByMail) {
      set.newEmail = email
      sends.push(await askNewMailbox(services, tx, account.id, email, change))
      await recordAudit(tx, { ...event, action: 'email.change_asked' })
      sends.push(() =>
        sendMail(services, account.email, noticeMessage('A change of your e-mail address was requested')),
      )
    } else if (email !== null) {
      const emailConfirmedAt = services.config.authAutoconfirm ? at : null
      // The operator appointed the admin and vouches for their address.
      const emailProvenAt = now.isAdmin ? at : null
      Object.assign(set, { email, newEmail: null, emailConfirmedAt, emailProvenAt, contested: false })
      await recordAudit(tx, { ...event, action: 'email.changed' })
    }
    if (Object.keys(set).length > 0) await changeAccount(tx, account.id, set, at)
    return sends
  }).catch((error: unknown) => {
    throw errorCode(error) === TAKEN ? emailTaken() : error
  })
  if (attempts.length > 0) await refund(services, attempts)
  knownTokens(services).note('account', [account.id], at)
  for (const send of sends) send()
}

/** True where a new e-mail address takes effect without a mail. */
function changesImmediately(services: Services): boolean {
  const { authAutoconfirm } = services.config
  return authAutoconfirm === true || (authAutoconfirm === undefined && !mailIsOn(services))
}

async function demandProof(services: Services, current: Current, { proof, request }: PersonChange): Promise<void> {
  const { account, session } = current
  const at = services.now()
  if (proof.currentPassword !== null) {
    const { email } = account
    if (await tryPassword(services, { email, account }, proof.currentPassword, request.address)) return
    throw new AuthError('invalid_credentials', 'The current password is wrong')
  }
  if (proof.nonce !== null) {
    const { nonce } = proof
    const used = await withoutWorkspace(services.db.accounts, (tx) =>
      useCode(services, tx, account.email, nonce, ['reauthentication']),
    )
    if (used?.accountId === account.id) return
    throw new AuthError('reauthentication_not_valid', 'The code is wrong or has expired')
  }
  if (!isFresh(session, at)) {
    throw new AuthError('reauthentication_needed', 'To change this, enter your current password or a mailed code')
  }
}

/**
 * Refuses the account's current password as its new one. The refusal reveals that password to anyone with a session, so it
 * counts as an attempt. Refund what it returns once the change is made: a change that is refused for another reason has
 * revealed it too.
 */
async function refuseSamePassword(
  services: Services,
  { account }: Current,
  password: string,
  request: RequestOrigin,
): Promise<Attempt[]> {
  const { email } = account
  const attempts = await takeTry(services, { email, account }, request.address)
  if (await passwordHasher(services).check(account.passwordHash, password)) {
    throw new AuthError('same_password', 'New password should be different from the old password.')
  }
  return attempts
}

async function askNewMailbox(
  services: Services,
  tx: AccountTx,
  accountId: string,
  email: string,
  { redirectTo, codeChallenge }: PersonChange,
): Promise<() => void> {
  return prepareTokenMail(services, tx, { accountId, kind: 'email_change', email, redirectTo, codeChallenge })
}

/** A name in the metadata also becomes the name that the product displays. */
function dataChange(old: Record<string, unknown>, data: Record<string, unknown> | null): AccountChange {
  if (data === null) return {}
  const userMetadata = mergedMetadata(old, data)
  const name = nameIn(data)
  return { userMetadata, ...(name === null ? {} : { name }) }
}

function emailTaken(): AuthError {
  return new AuthError('email_exists', 'A user with this email address has already been registered')
}
