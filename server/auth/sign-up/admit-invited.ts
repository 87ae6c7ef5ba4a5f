import { ContractError } from '@groundswell/contract/errors.ts'
import type { AccountTx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { hashToken } from '../sessions/opaque-token.ts'
import { findForSignUp } from '../team/invitation-store.ts'

/**
 * Admits a sign-up that the policy refuses by an invitation to a workspace: one account for each, with the address that the invitation was mailed to, if it
 * was. Null without a token. Throws `signup_closed`.
 */
export async function admitInvited(
  services: Services,
  tx: AccountTx,
  email: string,
  token: string | undefined,
): Promise<{ workspaceId: string; id: string } | null> {
  if (token === undefined) return null
  const at = services.now()
  return (await findForSignUp(tx, hashToken(token), { email: email.trim().toLowerCase(), at })) ?? refuseInvited()
}

/** One sentence for every reason, so that it does not reveal whether there was such an invitation. */
export function refuseInvited(): never {
  throw new ContractError(
    'signup_closed',
    'This invitation was used or revoked, has expired, or is for another e-mail address. Ask the person who invited you for a new link.',
  )
}
