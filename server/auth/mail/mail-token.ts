import type { AccountTx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { type AccountChange, changeAccount } from '../account/store.ts'
import { type MailedToken, makeOneTime } from '../codes/one-time-token.ts'
import type { PendingSignUp, TokenKind } from '../codes/store.ts'
import { authBase } from '../site-url.ts'
import { sendMail } from './mailer.ts'
import {
  confirmMessage,
  emailChangeMessage,
  inviteMessage,
  type Message,
  reauthenticationMessage,
  recoveryMessage,
} from './messages.ts'

/** The protocol's type of each kind of link. */
export const linkTypes = {
  confirm: 'signup',
  recovery: 'recovery',
  email_change: 'email_change',
  reauthentication: 'reauthentication',
  invite: 'invite',
} as const satisfies Record<TokenKind, string>

const messages: Record<TokenKind, (link: string, code: string, requested: string | undefined) => Message> = {
  confirm: confirmMessage,
  recovery: recoveryMessage,
  email_change: emailChangeMessage,
  reauthentication: (_link, code) => reauthenticationMessage(code),
  invite: inviteMessage,
}

const sentAt: Record<TokenKind, keyof AccountChange | null> = {
  confirm: 'confirmationSentAt',
  recovery: 'recoverySentAt',
  email_change: 'emailChangeSentAt',
  reauthentication: null,
  invite: 'confirmationSentAt',
}

/** The purpose of a mailed token and where its link leads. */
export type MailedTokenRequest = {
  accountId: string
  kind: TokenKind
  email: string
  redirectTo: string
  codeChallenge?: string | null
  /** The sign-up that the link completes; omitted: the account's own. */
  signUp?: PendingSignUp | null
  /** When and on which device it was requested, as text for the reader of the mail. */
  requested?: string
}

/** Creates and stores a token. The returned function mails it: call it after the transaction has committed. */
export async function prepareTokenMail(
  services: Services,
  tx: AccountTx,
  request: MailedTokenRequest,
): Promise<() => void> {
  const made = await makeOneTime(services, tx, request)
  const column = sentAt[request.kind]
  if (column !== null) await changeAccount(tx, request.accountId, { [column]: services.now() }, services.now())
  const link = tokenLink(services, request.kind, made, request.redirectTo)
  return () => sendMail(services, request.email, messages[request.kind](link, made.code, request.requested))
}

/** The link that redeems a token and then redirects to `redirectTo`. */
export function tokenLink(
  services: Pick<Services, 'config'>,
  kind: TokenKind,
  { token }: MailedToken,
  redirectTo: string,
): string {
  const query = new URLSearchParams({ token, type: linkTypes[kind], redirect_to: redirectTo })
  return `${authBase(services)}/verify?${query.toString()}`
}
