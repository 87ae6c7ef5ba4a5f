import type { Context, SignedIn } from '../connector.ts'
import { AuthExpired, Rejected, Unavailable } from '../kit/errors.ts'
import { call, regionOf } from './client.ts'
import { IntercomSecrets, REGIONS, Region, WorkspaceId } from './manifest.ts'
import { Me } from './schema.ts'

/** Requests which workspace the credentials belong to. The account is the id that its events contain. */
export async function check(context: Context): Promise<SignedIn> {
  const region = regionOf(context)
  const secrets = IntercomSecrets.safeParse(context.secrets)
  if (!secrets.success) throw new AuthExpired('Intercom is not signed in: connect again')
  const over = `Intercom did not accept the credentials in the region ${REGIONS[region].label}`
  const { data } = await call(context, {
    name: 'me',
    path: '/me',
    permission: 'Read admins',
    schema: Me,
    refusals: { 401: new AuthExpired(`${over}. Check the token and the region, then connect again`) },
  })
  if (!data.app) throw new Rejected('Intercom returned no workspace for these credentials. Create a token of your app')
  const workspace = WorkspaceId.safeParse(data.app.id_code)
  if (!workspace.success) throw new Unavailable('Intercom’s id of the workspace does not match its documentation')
  const actual = regionNamed(data.app.region)
  if (actual && actual !== region) {
    throw new Rejected(
      `Intercom hosts this workspace in the region ${REGIONS[actual].label}: choose it and connect again`,
    )
  }
  return {
    account: workspace.data,
    settings: {
      region,
      workspace_id: workspace.data,
      workspace: data.app.name?.replaceAll('\0', '').toWellFormed().trim() || null,
      ...(context.settings.revocable === true ? { revocable: true } : {}),
    },
    secrets: { ...secrets.data },
  }
}

/** Intercom names a region by its code, such as `EU`, or by name, such as `Europe`. Null: unknown. */
function regionNamed(name: string | null | undefined): Region | null {
  const given = name?.trim().toLowerCase()
  const found = Object.entries(REGIONS).find(([code, { label }]) => given === code || given === label.toLowerCase())
  return Region.safeParse(found?.[0]).data ?? null
}
