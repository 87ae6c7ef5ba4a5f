import type { Context, SignedIn } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { call } from './client.ts'
import { User, Version } from './schema.ts'
import { accountOf, NO_SERVER, requireVersion, residenceOf, serverOf } from './server.ts'

/** Asks GitHub who the token belongs to. The account is not a bare number: the ids of installations are. */
export async function check(context: Context): Promise<SignedIn> {
  const server = serverOf(context)
  // Data residency is of the version of GitHub.com, and does not name it.
  if (server !== null && residenceOf(context) === null) {
    const { installed_version } = await call(context, {
      name: 'meta.get',
      path: '/meta',
      schema: Version,
      refusals: { 404: new Rejected(NO_SERVER) },
    })
    requireVersion(installed_version)
  }
  const { id, login } = await call(context, { name: 'users.getAuthenticated', path: '/user', schema: User })
  return {
    account: accountOf(context, id),
    settings: { name: login, login, installation_id: null, server },
    secrets: context.secrets,
  }
}
