import type { Context, OAuth, Refreshed, SignedIn } from '../connector.ts'
import { AuthExpired, type ConnectorFailure, Rejected } from '../kit/errors.ts'
import { type Granted, grantedTokens, TokenReply } from '../kit/granted-tokens.ts'
import { type TokenRefusal, tokenCall } from '../kit/http/token-call.ts'
import { SCOPE, Tenant } from './app.ts'
import { check } from './check.ts'
import { AzureSecrets } from './manifest.ts'
import { signInUrl } from './place.ts'

type App = Record<string, string>

/** OAuth of Microsoft Entra with the workspace's own app. Azure DevOps' own OAuth takes no new apps. */
export const oauth: OAuth = {
  pkce: true,
  authorizeUrl(context, app, { redirectUrl, state, codeChallenge }) {
    const query = new URLSearchParams({
      client_id: app['client_id'] ?? '',
      redirect_uri: redirectUrl,
      response_type: 'code',
      response_mode: 'query',
      scope: SCOPE,
      state,
      prompt: 'select_account',
      ...(codeChallenge ? { code_challenge: codeChallenge, code_challenge_method: 'S256' } : {}),
    })
    return `${signInUrl(context)}/${tenantOf(app)}/oauth2/v2.0/authorize?${query.toString()}`
  },
  async exchange(context: Context, app, { redirectUrl, code, codeVerifier }): Promise<SignedIn> {
    const { secrets, expiresAt } = await requestTokens(
      context,
      app,
      { grant_type: 'authorization_code', code, redirect_uri: redirectUrl, code_verifier: codeVerifier },
      (reason) => new Rejected(`Microsoft refused to sign in${reason}: check the app, then try again`),
    )
    return { ...(await check({ ...context, secrets })), secrets, expiresAt }
  },
}

/** Exchanges the refresh token for new tokens. Microsoft replaces it with each use. */
export async function refresh(context: Context, app: App | null): Promise<Refreshed> {
  const held = AzureSecrets.safeParse(context.secrets).data
  const refresh_token = held && 'access_token' in held ? held.refresh_token : undefined
  if (refresh_token === undefined || app === null) {
    throw new AuthExpired('The sign-in at Azure DevOps is over. Connect again')
  }
  const { secrets, expiresAt } = await requestTokens(
    context,
    app,
    { grant_type: 'refresh_token', refresh_token },
    (reason) => new AuthExpired(`Microsoft no longer accepts the sign-in${reason}. Connect again`),
  )
  return { secrets: { refresh_token, ...secrets }, expiresAt }
}

/** An app of the environment was not parsed by the form: its tenant is a part of the path and validated here too. */
function tenantOf(app: App): string {
  const tenant = Tenant.safeParse(app['tenant'] ?? '')
  if (!tenant.success) throw new Rejected('The tenant of the Microsoft Entra app is not valid: check the app')
  return tenant.data
}

async function requestTokens(
  context: Context,
  app: App,
  grant: Record<string, string | undefined>,
  refused: (reason: string) => ConnectorFailure,
): Promise<Granted> {
  const asked = context.now().getTime()
  const reply = await tokenCall(context, {
    who: 'Microsoft',
    name: 'oauth2/token',
    url: `${signInUrl(context)}/${tenantOf(app)}/oauth2/v2.0/token`,
    body: { form: { ...grant, scope: SCOPE, client_id: app['client_id'], client_secret: app['client_secret'] } },
    schema: TokenReply,
    renews: 'refresh_token' in grant,
    // Microsoft's own fault, with whatever error.
    isTemporary: ({ description }) => description.startsWith('AADSTS90033:'),
    appFault: ({ description }) => inBrackets(codeOf(description)),
    refused: (refusal) => refused(reasonOf(refusal)),
  })
  return grantedTokens(reply, asked)
}

/** Microsoft's code of the error, such as `AADSTS7000215`: its text may contain ids of the request and of people. */
const codeOf = (description: string) => /\bAADSTS\d{4,10}\b/.exec(description)?.[0]
const inBrackets = (code: string | undefined) => (code === undefined ? '' : ` (${code})`)

/** Why Microsoft refused, for the end of a sentence. */
function reasonOf({ error, description }: TokenRefusal): string {
  if (error === 'consent_required') return ' (an administrator has to consent to the app)'
  const code = codeOf(description)
  if (code === 'AADSTS65001' || code === 'AADSTS90094') return ' (an administrator has to consent to the app)'
  if (code === 'AADSTS7000215' || code === 'AADSTS7000222') {
    return ` (the client secret of the app is wrong or has expired: save a new one, ${code})`
  }
  return inBrackets(code)
}
