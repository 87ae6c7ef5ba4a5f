import type { Context, OAuth, Refreshed, SignedIn } from '../connector.ts'
import { AuthExpired, type ConnectorFailure, Rejected } from '../kit/errors.ts'
import { type Granted, grantedTokens, TokenReply } from '../kit/granted-tokens.ts'
import { jsonCall } from '../kit/http/json-call.ts'
import { tokenCall } from '../kit/http/token-call.ts'
import { REQUIRED_SCOPES, SCOPES } from './app.ts'
import { call } from './client.ts'
import { JiraSecrets, type Site } from './manifest.ts'
import { Me, Resources } from './schema.ts'
import { cloudUrl, signInUrl, siteById } from './site.ts'

/** OAuth 2.0 (3LO) of Atlassian. The account is the sites, so that a colleague who signs in later takes over the same issues. */
export const oauth: OAuth = {
  authorizeUrl(context, app, { redirectUrl, state }) {
    const query = new URLSearchParams({
      audience: 'api.atlassian.com',
      client_id: app.client_id ?? '',
      scope: SCOPES.join(' '),
      redirect_uri: redirectUrl,
      state,
      response_type: 'code',
      prompt: 'consent',
    })
    return `${signInUrl(context)}/authorize?${query.toString()}`
  },
  async exchange(context: Context, app, { redirectUrl, code }): Promise<SignedIn> {
    const { secrets, expiresAt, scopes } = await requestTokens(
      context,
      app,
      { grant_type: 'authorization_code', code, redirect_uri: redirectUrl },
      () => new Rejected('Atlassian refused to sign in: check the client ID and the secret, then retry'),
    )
    const lacking = scopes ? REQUIRED_SCOPES.filter((scope) => !scopes.includes(scope)) : []
    if (lacking.length > 0) throw new Rejected(lacks(lacking.join(', ')))
    if (secrets.refresh_token === undefined) throw new Rejected(lacks('offline_access'))
    const signedIn = { ...context, secrets }
    const sites = await accessibleSites(signedIn)
    const [first] = Object.keys(sites)
    if (first === undefined) throw new Rejected('The sign-in is for no site with Jira. Allow one and connect again')
    const settings = { sites }
    const site = siteById({ ...signedIn, settings }, first)
    if (site === null) throw new Rejected('The sign-in is for no site with Jira. Allow one and connect again')
    await call(signedIn, site, { name: 'myself', path: '/myself', schema: Me })
    return { account: Object.keys(sites).toSorted().join(','), settings, secrets, expiresAt }
  },
}

const lacks = (scopes: string) => `The sign-in at Jira lacks ${scopes}. Add it to the app and connect again`

/** Exchanges the refresh token for a new pair. Atlassian replaces both, and accepts the previous refresh token no more. */
export async function refresh(context: Context, app: Record<string, string> | null): Promise<Refreshed> {
  const held = JiraSecrets.safeParse(context.secrets).data
  const refresh_token = held && 'access_token' in held ? held.refresh_token : undefined
  if (refresh_token === undefined || app === null) throw new AuthExpired('The sign-in at Jira is over. Connect again')
  const { secrets, expiresAt } = await requestTokens(
    context,
    app,
    { grant_type: 'refresh_token', refresh_token },
    () => new AuthExpired('Jira no longer accepts the sign-in. Connect again'),
  )
  return { secrets: { refresh_token, ...secrets }, expiresAt }
}

/** The sites that the person allowed, with Jira, by their ids. */
async function accessibleSites(context: Context): Promise<Record<string, Site>> {
  const { data } = await jsonCall(context, {
    who: 'Atlassian',
    name: 'accessible-resources',
    method: 'GET',
    url: `${cloudUrl(context)}/oauth/token/accessible-resources`,
    authorization: `Bearer ${context.secrets.access_token ?? ''}`,
    schema: Resources,
    ledger: true,
  })
  const withJira = data.filter(({ id, scopes }) => /^[A-Za-z0-9-]{1,64}$/.test(id) && isForJira(scopes))
  return Object.fromEntries(withJira.map(({ id, name, url }) => [id, { name: name ?? '', url: webAddress(url) }]))
}

/** Other products, such as Confluence, are listed separately, with their own scopes. */
const isForJira = (scopes: readonly string[] | null | undefined) =>
  !scopes || scopes.some((scope) => /:jira(?:-|$)/.test(scope))

/** The origin of a web address; null for anything else. */
function webAddress(url: string | null | undefined): string | null {
  return url && URL.canParse(url) && new URL(url).protocol === 'https:' ? new URL(url).origin : null
}

async function requestTokens(
  context: Context,
  { client_id, client_secret }: Record<string, string>,
  grant: Record<string, string>,
  refused: () => ConnectorFailure,
): Promise<Granted> {
  const asked = context.now().getTime()
  const reply = await tokenCall(context, {
    who: 'Atlassian',
    name: 'oauth/token',
    url: `${signInUrl(context)}/oauth/token`,
    body: { json: { ...grant, client_id, client_secret } },
    schema: TokenReply,
    renews: 'refresh_token' in grant,
    // Atlassian's words for a wrong client ID or secret; a refresh token that has ended is `unauthorized_client` or `invalid_grant`.
    isOfApp: ({ status, error }) => status === 401 && error === 'access_denied',
    refused,
  })
  return grantedTokens(reply, asked)
}
