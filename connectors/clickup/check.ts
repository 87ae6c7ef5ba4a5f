import type { Context, SignedIn } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { call } from './client.ts'
import { Teams, User } from './schema.ts'

/**
 * Requests who the token belongs to, and the workspaces that it may use. The account is the person: ClickUp's events name no account,
 * and are assigned by the address that they came to.
 */
export async function check(context: Context): Promise<SignedIn> {
  const { user } = await call(context, { method: 'GET', name: 'user', path: '/user', schema: User, subject: null })
  const teams = await readTeams(context)
  const [first] = teams
  if (!first) throw new Rejected('The sign-in at ClickUp may use no workspace. Allow one and connect again')
  const name = teams.length === 1 ? first.name : (user.username ?? user.email ?? 'ClickUp')
  return { account: user.id, settings: { name }, secrets: context.secrets, expiresAt: null }
}

/** The workspaces, which ClickUp's API calls teams, with their members. */
export async function readTeams(context: Context) {
  const request = { method: 'GET', name: 'team', path: '/team', schema: Teams, subject: null } as const
  return (await call(context, request)).teams
}
