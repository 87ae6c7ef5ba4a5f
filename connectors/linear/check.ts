import type { Context, SignedIn } from '../connector.ts'
import { call } from './client.ts'
import { WHO } from './operations.ts'

/** Asks Linear who the key or token belongs to. The account is the workspace, which Linear calls organization. */
export async function check(context: Context): Promise<SignedIn> {
  const { organization } = await call(context, WHO)
  const { id, name } = organization
  return { account: id, settings: { name, organization_id: id }, secrets: context.secrets }
}
