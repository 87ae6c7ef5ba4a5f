import type { Context, SignedIn } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { call, SiteMissing } from './client.ts'
import { settingsOf } from './manifest.ts'
import { Me } from './schema.ts'
import { siteOf } from './site.ts'

/** Asks the site who the API token belongs to. The account is the site. */
export async function check(context: Context): Promise<SignedIn> {
  const settings = settingsOf(context)
  if (!('host' in settings)) throw new Rejected('Jira is not set up: connect it again')
  const { host, email } = settings
  try {
    await call(context, siteOf(context), { name: 'myself', path: '/myself', schema: Me })
  } catch (error) {
    if (!(error instanceof SiteMissing)) throw error
    throw new Rejected(`There is no Jira at ${host}`, { ledger: error.ledger })
  }
  return { account: host, settings: { host, email }, secrets: context.secrets }
}
