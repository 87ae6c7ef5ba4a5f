import type { Context } from '../connector.ts'
import { read } from './client.ts'
import { SlackSettings } from './manifest.ts'
import { Revoked } from './schema.ts'

/** Revokes the token that the sign-in got. A pasted token is left alone: it may be in use elsewhere. */
export async function revoke(context: Context): Promise<void> {
  const settings = SlackSettings.safeParse(context.settings)
  if (settings.data?.revocable) await read(context, 'auth.revoke', {}, Revoked)
}
