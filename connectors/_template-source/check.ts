import type { Context, SignedIn } from '../connector.ts'
import { call, secretsOf } from './client.ts'
import { Account } from './schema.ts'

/** Asks which account the credentials belong to. Events name it too. */
export async function check(context: Context): Promise<SignedIn> {
  const { id, name } = await call(context, { name: 'account', path: '/account', schema: Account })
  return { account: id, settings: { name }, secrets: { ...secretsOf(context) } }
}
