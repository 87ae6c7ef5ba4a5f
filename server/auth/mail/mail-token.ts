import type { Tx } from '../../platform/db/tenant.ts'
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

/** The protocol's word for a kind of link. */
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

/** What a mailed token is made for and where its link ends. */
export type MailedTokenRequest = {
  accountId: string
  kind: TokenKind
  email: string
  redirectTo: string
  codeChallenge?: string | null
  /** The sign-up that the link brings into effect; left out: the account's own. */
  signUp?: PendingSignUp | null
  /** When and with what it was asked for, in words for the reader of the mail. */
  requested?: string
}

/** Makes a token and keeps it; the returned function sends it, to be called when the transaction is committed. */
export async function prepareTokenMail(services: Services, tx: Tx, request: MailedTokenRequest): Promise<() => void> {
  const made = await makeOneTime(services, tx, request)
  const column = sentAt[request.kind]
  if (column !== null) await changeAccount(tx, request.accountId, { [column]: services.now() }, services.now())
  const link = tokenLink(services, request.kind, made, request.redirectTo)
  return () => sendMail(services, request.email, messages[request.kind](link, made.code, request.requested))
}

/** The address that uses a token up and then ends on `redirectTo`. */
export function tokenLink(
  services: Pick<Services, 'config'>,
  kind: TokenKind,
  { token }: MailedToken,
  redirectTo: string,
): string {
  const query = new URLSearchParams({ token, type: linkTypes[kind], redirect_to: redirectTo })
  return `${authBase(services)}/verify?${query.toString()}`
}
