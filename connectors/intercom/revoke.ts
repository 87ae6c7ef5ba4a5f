import * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { AuthExpired } from '../kit/errors.ts'
import { call, IntercomRefusal } from './client.ts'

/**
 * Uninstalls the app from the Intercom workspace, which ends the token of OAuth. A pasted access token is left alone: it may be in use
 * elsewhere, and Intercom ends it only with its app.
 */
export async function revoke(context: Context): Promise<void> {
  if (context.settings.revocable !== true) return
  try {
    await call(context, {
      name: 'auth/uninstall',
      method: 'POST',
      path: '/auth/uninstall',
      schema: z.unknown(),
      refusals: { 403: new IntercomRefusal(403, 'Intercom did not allow the app to uninstall itself') },
    })
  } catch (error) {
    // It was already removed at Intercom.
    if (error instanceof AuthExpired) return
    if (!(error instanceof IntercomRefusal)) throw error
    context.log.warn({ status: error.status }, 'Intercom did not uninstall the app: remove it there')
  }
}
