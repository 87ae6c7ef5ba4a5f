import * as z from 'zod/mini'
import type { Context, SignedIn } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { call } from './client.ts'
import { AzureSecrets, ORGANISATION } from './manifest.ts'
import { profileUrl, scopeOf } from './place.ts'
import { isVersionRefusal, Refusal } from './refusal.ts'
import { Account, listOf, Profile, Project } from './schema.ts'
import { API_VERSIONS, type ApiVersion, NO_SERVER, type Server, serverOf } from './server.ts'

/** Replaces what another connection before this one may have left. */
const OF_SERVICES = { server: null, api_version: null }

/** Verifies a token by listing projects, or finds out who signed in and their organisations. */
export async function check(context: Context): Promise<SignedIn> {
  const secrets = AzureSecrets.safeParse(context.secrets).data
  if (secrets && 'access_token' in secrets) return checkSignIn(context)
  const server = serverOf(context)
  return server ? checkServer(context, server) : checkToken(context)
}

/** The account is the organisation, because a token belongs to one. */
async function checkToken(context: Context): Promise<SignedIn> {
  const name = z.string().check(z.regex(ORGANISATION)).safeParse(context.settings['organization']).data
  if (name === undefined) throw new Rejected('Azure DevOps is not set up completely: connect it again')
  try {
    await call(context, {
      name: 'projects.list',
      path: `/${name}/_apis/projects`,
      query: { $top: 1 },
      schema: listOf(Project),
    })
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) {
      throw new Rejected('There is no such organization in Azure DevOps, or the token is not for it')
    }
    throw error
  }
  return {
    account: name.toLowerCase(),
    settings: { name, organization: name, organizations: [name], ...OF_SERVICES },
    secrets: context.secrets,
  }
}

/** The account is the collection, because a token is allowed to use one or all of a server's. */
async function checkServer(context: Context, { url, collection }: Server): Promise<SignedIn> {
  const api_version = await newestVersion(context, collection)
  const scope = scopeOf(context, collection)
  return {
    account: scope,
    settings: {
      name: `${decodeURIComponent(collection)} (${new URL(url).host})`,
      organization: null,
      organizations: [],
      server: `${url}/${collection}`,
      api_version,
    },
    secrets: context.secrets,
  }
}

/** The newest version of the API that both sides know, found by a request that a server refuses before it does anything. */
async function newestVersion(context: Context, collection: string): Promise<ApiVersion> {
  for (const version of API_VERSIONS) {
    try {
      const answer = await call(context, {
        name: 'projects.list',
        path: `/${collection}/_apis/projects`,
        query: { $top: 1 },
        version,
        schema: z.unknown(),
      })
      if (listOf(Project).safeParse(answer).success) return version
      throw new Rejected(NO_SERVER)
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) throw new Rejected(NO_SERVER)
      if (!isVersionRefusal(error)) throw error
    }
  }
  throw new Rejected('Azure DevOps Server 2020 or later is required')
}

async function checkSignIn(context: Context): Promise<SignedIn> {
  const host = profileUrl(context)
  const { id, displayName } = await call(context, {
    name: 'profile.get',
    host,
    path: '/_apis/profile/profiles/me',
    schema: Profile,
  })
  const { value } = await call(context, {
    name: 'accounts.list',
    host,
    path: '/_apis/accounts',
    query: { memberId: id },
    schema: listOf(Account),
  })
  const organizations = value.map(({ accountName }) => accountName).filter((name) => ORGANISATION.test(name))
  if (organizations.length === 0) {
    throw new Rejected('This person belongs to no organization in Azure DevOps. Sign in as another one')
  }
  const [only = ''] = organizations
  return {
    account: id,
    settings: {
      name: organizations.length === 1 ? only : (displayName ?? 'Azure DevOps'),
      organizations,
      ...OF_SERVICES,
    },
    secrets: context.secrets,
  }
}
