import { ContractError } from '@groundswell/contract/errors.ts'
import { type AccountTx, switchWorkspace } from '../../platform/db/tenant.ts'
import { mailIsOn } from '../../platform/mail/transport.ts'
import type { Services } from '../../platform/services.ts'
import { makeAccount, type NewAccount, refuseTaken } from '../account/create-account.ts'
import { changeAccount, findAccount } from '../account/store.ts'
import { prepareTokenMail } from '../mail/mail-token.ts'
import { describeRequest } from '../mail/messages.ts'
import { recordAudit } from '../record-audit.ts'
import { deviceName } from '../sessions/device.ts'
import { type IssuedSession, issueSession, placeOf, type RequestOrigin } from '../sessions/issue-session.ts'
import { takeForSignUp } from '../team/invitation-store.ts'
import { spend, takeAllIn } from '../throttle/limits.ts'
import { admit } from './admit.ts'
import { admitInvited, refuseInvited } from './admit-invited.ts'

/**
 * The result of a sign-up. `session` is null where the address must be confirmed first. `accountId` is null when an account
 * that never proved the address has it: the sign-up waits for its own link.
 */
export type SignedUp = { accountId: string; session: IssuedSession | null } | { accountId: null; session: null }

type Applicant = Pick<NewAccount, 'email' | 'name' | 'password' | 'userMetadata'>
type Options = { redirectTo: string; codeChallenge?: string | null; setupToken?: string; invitation?: string }
type Made = SignedUp & { send: () => void }

/**
 * Creates an account, as the sign-up policy allows, and signs it in. The e-mail address has to be confirmed by a link, unless
 * AUTH_AUTOCONFIRM is true; with AUTH_AUTOCONFIRM=false no one is signed in before that. An existing account is never
 * changed: if it never proved its address, a link is mailed that completes this sign-up. Where sign-up is not open, an `invitation` to a workspace
 * admits one account, which only that one can accept then. Throws `signup_closed`, `signup_refused` for a taken address, and `too_many_requests`.
 */
export async function signUp(
  services: Services,
  account: Applicant,
  request: RequestOrigin,
  options: Options,
): Promise<SignedUp> {
  await spend(services, { limit: 'signup', address: request.address })
  const { authAutoconfirm } = services.config
  let invited: Awaited<ReturnType<typeof admitInvited>> = null
  const made = await makeAccount<Made>(
    services,
    { ...account, confirmed: authAutoconfirm === true, proven: false },
    async (tx) => {
      try {
        return await admit(tx, services, request, options.setupToken)
      } catch (refusal) {
        const isClosed = refusal instanceof ContractError && refusal.code === 'signup_closed'
        invited = isClosed ? await admitInvited(services, tx, account.email, options.invitation) : null
        if (invited === null) throw refusal
        return false
      }
    },
    async (tx, { accountId, workspaceId }) => {
      if (invited !== null) {
        await switchWorkspace(tx, invited.workspaceId)
        if (!(await takeForSignUp(tx, invited.workspaceId, invited.id, accountId))) refuseInvited()
        await switchWorkspace(tx, workspaceId)
      }
      return signInNewAccount(services, tx, { accountId, workspaceId }, account, request, options)
    },
    (tx, passwordHash) =>
      invited === null
        ? holdForConfirmation(services, tx, { ...account, passwordHash }, request, options)
        : refuseTaken(),
  )
  made.send()
  return made.accountId === null ? { accountId: null, session: null } : made
}

async function signInNewAccount(
  services: Services,
  tx: AccountTx,
  { accountId, workspaceId }: { accountId: string; workspaceId: string },
  account: Applicant,
  request: RequestOrigin,
  options: Options,
): Promise<Made> {
  const at = services.now()
  await recordAudit(tx, { action: 'account.created', at, actorId: accountId, accountId, workspaceId, request })
  const { authAutoconfirm } = services.config
  const asksForMail = authAutoconfirm === false || (authAutoconfirm === undefined && mailIsOn(services))
  const mail = { ...mailFor(services, account.email, request, options), accountId }
  const send = asksForMail ? await prepareTokenMail(services, tx, mail) : () => undefined
  if (authAutoconfirm === false) return { accountId, session: null, send }
  const session = await issueSession(services, tx, accountId, { methods: ['password'], request, isFirst: true })
  return { accountId, session, send }
}

/**
 * Holds a sign-up for a taken address until its own link is opened, where mail makes that possible. The existing account
 * stays as it is.
 */
async function holdForConfirmation(
  services: Services,
  tx: AccountTx,
  { email, name, passwordHash, userMetadata = {} }: Applicant & { passwordHash: string | null },
  request: RequestOrigin,
  options: Options,
): Promise<Made> {
  const at = services.now()
  const holder = await findAccount(tx, email.trim().toLowerCase())
  const canWait = services.config.authAutoconfirm !== true && mailIsOn(services)
  if (!holder || holder.emailProvenAt !== null || !canWait) return refuseTaken()
  if (!(await takeAllIn(tx, services, [{ limit: 'mailbox', key: `confirm ${holder.email}` }]))) {
    throw new ContractError(
      'too_many_requests',
      'We sent an email to this address a moment ago: wait a minute and try again',
    )
  }
  const accountId = holder.id
  if (!holder.contested) await changeAccount(tx, accountId, { contested: true }, at)
  await recordAudit(tx, { action: 'account.signed_up_again', at, actorId: null, accountId, request })
  const signUp = { name, passwordHash, userMetadata }
  const mail = { ...mailFor(services, holder.email, request, options), accountId, signUp }
  return { accountId: null, session: null, send: await prepareTokenMail(services, tx, mail) }
}

function mailFor(services: Services, email: string, request: RequestOrigin, { redirectTo, codeChallenge }: Options) {
  const requested = describeRequest(services.now(), deviceName(placeOf(request).userAgent))
  return { kind: 'confirm' as const, email, redirectTo, codeChallenge, requested }
}
