import type { Context, SignedIn } from '../connector.ts'
import { call } from './client.ts'
import { User } from './schema.ts'

/** Asks GitHub who the token belongs to. The account is not a bare number: the ids of installations are. */
export async function check(context: Context): Promise<SignedIn> {
  const { id, login } = await call(context, { name: 'users.getAuthenticated', path: '/user', schema: User })
  return {
    account: `user-${id}`,
    settings: { name: login, login, installation_id: null },
    secrets: context.secrets,
  }
}
