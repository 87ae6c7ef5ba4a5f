import { authServer, callHeaders, freshToken } from '../../client/index.ts'
import { AuthFailure } from '../auth-words.ts'

/**
 * Sends the confirmation of the signed-in account again. The auth client's own call is unauthenticated, so its link would not
 * belong to this account if another person signed up with the address too. Throws AuthFailure.
 */
export async function resendConfirmation(email: string): Promise<void> {
  const back = encodeURIComponent(`${location.origin}/auth?step=confirmed`)
  const token = await freshToken()
  const { address, headers } = await authServer()
  const answer = await fetch(`${address}/resend?redirect_to=${back}`, {
    method: 'POST',
    headers: { ...callHeaders(token, 'application/json'), ...headers, 'X-Supabase-Api-Version': '2024-01-01' },
    body: JSON.stringify({ type: 'signup', email }),
  })
  if (answer.ok) return
  const { code, message = '' } = (await answer.json().catch(() => ({}))) as { code?: string; message?: string }
  throw new AuthFailure({ code, status: answer.status, message })
}
