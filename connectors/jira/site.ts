import type { Context } from '../connector.ts'
import { ItemGone, Rejected } from '../kit/errors.ts'
import { hostUrl } from '../kit/http/host-url.ts'
import { settingsOf } from './manifest.ts'

const CLOUD_URL = 'https://api.atlassian.com'
const SIGN_IN_URL = 'https://auth.atlassian.com'

/** Where requests for one site go, and where people read its issues. `id` is null with an API token, which belongs to one site. */
export type JiraSite = { id: string | null; api: string; browse: string | null }

/** The host of the API for sign-ins, without a trailing slash. */
export const cloudUrl = (context: Pick<Context, 'baseUrl' | 'hostUrls'>) => hostUrl(context, 'api', CLOUD_URL)
/** The host of the consent page and of tokens, without a trailing slash. */
export const signInUrl = (context: Pick<Context, 'baseUrl' | 'hostUrls'>) => hostUrl(context, 'login', SIGN_IN_URL)

/** The site that issues are created in: that of the token, the chosen one, or the only one. */
export function siteOf(context: Pick<Context, 'baseUrl' | 'hostUrls' | 'settings'>): JiraSite {
  const settings = settingsOf(context)
  if ('host' in settings) {
    const origin = `https://${settings.host}`
    return { id: null, api: hostUrl(context, 'site', origin), browse: origin }
  }
  const ids = Object.keys(settings.sites)
  const id = ids.length === 1 ? ids[0] : settings.site?.[0]
  const site = id === undefined ? null : siteById(context, id)
  if (site === null) throw new Rejected('No site is chosen for Jira: choose one')
  return site
}

/** A site that was allowed when signing in; null for any other id. */
export function siteById(context: Pick<Context, 'baseUrl' | 'hostUrls' | 'settings'>, id: string): JiraSite | null {
  const settings = settingsOf(context)
  if ('host' in settings || !Object.hasOwn(settings.sites, id)) return null
  const api = `${cloudUrl(context)}/ex/jira/${encodeURIComponent(id)}`
  return { id, api, browse: settings.sites[id]?.url ?? null }
}

/** The id of a remote item. Jira's ids are unique within one site only, and another site may be chosen later. */
export const remoteIdOf = ({ id }: JiraSite, issue: string) => (id === null ? issue : `${id}/${issue}`)

/** The site and Jira's id of a remote item. Throws `ItemGone` where its site is out of reach. */
export function issueOf(context: Pick<Context, 'baseUrl' | 'hostUrls' | 'settings'>, remoteId: string): IssueRef {
  const [issue = '', siteId] = remoteId.split('/').reverse()
  const site = siteId === undefined ? siteOf(context) : siteById(context, siteId)
  const isOurs = site !== null && (site.id === null) === (siteId === undefined)
  if (!isOurs || !/^\d{1,18}$/.test(issue)) throw new ItemGone('The issue’s site is no longer connected')
  return { site, issue }
}
export type IssueRef = { site: JiraSite; issue: string }

/** Where people read an issue; null where the site's address is not known. */
export const browseUrl = ({ browse }: JiraSite, key: string) =>
  browse === null ? null : `${browse}/browse/${encodeURIComponent(key)}`
