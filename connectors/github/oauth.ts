import * as z from 'zod/mini'
import type { Context, OAuth, SignedIn } from '../connector.ts'
import { AuthExpired, Rejected } from '../kit/errors.ts'
import { tokenCall } from '../kit/http/token-call.ts'
import { call, siteUrl } from './client.ts'
import { mintToken } from './installation.ts'
import { entries, type PageQuery } from './pages.ts'
import { SUSPENDED } from './refusal.ts'
import { type Installation, Installations, UserToken } from './schema.ts'

const MAX_INSTALLATIONS = 1000
const Wanted = z.object({ installed_on: z.optional(z.nullable(z.string())) })

const Form = z.object({
  installed_on: z.optional(
    z.string().check(z.trim(), z.maxLength(100), z.regex(/^[\w-]*$/, 'Enter the name of an account, such as acme')),
  ),
})

/**
 * Installing the workspace's own app, or signing in with one that is installed already. GitHub sends the installation's id in the address,
 * where anyone could write another one: the code that comes with it proves that the person may use that installation.
 */
export const oauth: OAuth = {
  fields: [
    {
      name: 'installed_on',
      label: 'Installed on',
      kind: 'text',
      required: false,
      placeholder: 'acme',
      help: 'Only if the app is installed already: the organization or account. Leave empty to install it now.',
    },
  ],
  form: Form,
  authorizeUrl(context, { slug = '', client_id = '' }, { redirectUrl, state }) {
    if (accountIn(context) === '') {
      const query = new URLSearchParams({ state })
      return `${siteUrl(context)}/apps/${encodeURIComponent(slug)}/installations/new?${query.toString()}`
    }
    const query = new URLSearchParams({ client_id, redirect_uri: redirectUrl, state })
    return `${siteUrl(context)}/login/oauth/authorize?${query.toString()}`
  },
  async exchange(context, app, { redirectUrl, code, query = {} }): Promise<SignedIn> {
    if (query.setup_action === 'request') {
      throw new Rejected(
        'An owner of the organization has to approve the installation. Connect again once it is approved',
      )
    }
    const id = query.installation_id ?? null
    const isInstalled = code === '' ? query.setup_action === 'update' : id === null && accountIn(context) === ''
    if (isInstalled) throw new Rejected(INSTALLED)
    if (code === '') throw new Rejected(NO_CODE)
    const userToken = await requestUserToken(context, app, { redirectUrl, code })
    const installation = await findInstallation(context, userToken, id)
    const { app_slug, account, permissions, suspended_at } = installation
    if (suspended_at) throw new AuthExpired(SUSPENDED)
    if (permissions.issues !== 'write') {
      throw new Rejected('The app lacks the permission Issues: read and write. Add it on GitHub, then connect again')
    }
    const installationId = String(installation.id)
    const minted = await mintToken(context, app, installationId)
    return {
      account: installationId,
      settings: {
        name: account?.login ?? account?.name ?? app_slug,
        login: `${app_slug}[bot]`,
        installation_id: installationId,
        server: null,
      },
      ...minted,
    }
  },
}

const INSTALLED =
  'The app is installed already. Enter the name of the organization or account that it is installed on, then connect again'
const NO_CODE =
  'GitHub did not say who installed the app. Select “Request user authorization (OAuth) during installation” in its settings, then connect again'

/** The account that the person named before signing in; '' for none. */
const accountIn = ({ settings }: Context) => Wanted.safeParse(settings).data?.installed_on?.trim() ?? ''

/** The installation that GitHub or the person named, of those that the person may use. */
async function findInstallation(context: Context, userToken: string, id: string | null): Promise<Installation> {
  const name = accountIn(context).toLowerCase()
  const read = async (page: PageQuery) => {
    const { installations } = await call(context, {
      name: 'apps.listInstallationsForAuthenticatedUser',
      path: '/user/installations',
      query: { ...page },
      authorization: `Bearer ${userToken}`,
      schema: Installations,
      ledger: false,
    })
    return installations
  }
  for await (const one of entries(read, MAX_INSTALLATIONS)) {
    if (id === null ? one.account?.login?.toLowerCase() === name : String(one.id) === id) return one
  }
  throw new Rejected(
    id === null
      ? 'The app is not installed on this account, or you may not use it there. Leave the account empty to install it'
      : 'You may not use this installation of the app: ask an owner of the account for access to one of its repositories',
  )
}

async function requestUserToken(
  context: Context,
  { client_id, client_secret }: Record<string, string>,
  { redirectUrl, code }: { redirectUrl: string; code: string },
): Promise<string> {
  const data = await tokenCall(context, {
    who: 'GitHub',
    name: 'login/oauth/access_token',
    url: `${siteUrl(context)}/login/oauth/access_token`,
    body: { form: { client_id, client_secret, code, redirect_uri: redirectUrl } },
    schema: UserToken,
    renews: false,
    refused: wrongClient,
  })
  if ('access_token' in data) return data.access_token
  if (data.error === 'incorrect_client_credentials') throw wrongClient()
  if (data.error === 'redirect_uri_mismatch') {
    throw new Rejected(
      `The callback URL of the app on GitHub is another one: set it to ${redirectUrl}, then connect again`,
    )
  }
  throw new Rejected('GitHub no longer accepts this sign-in: start it again')
}

const wrongClient = () =>
  new Rejected('GitHub does not accept the client ID and the client secret of the app: check them')
