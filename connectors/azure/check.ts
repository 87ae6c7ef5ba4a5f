import * as z from 'zod/mini'
import type { Context, SignedIn } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { call } from './client.ts'
import { AzureSecrets, ORGANISATION } from './manifest.ts'
import { profileUrl } from './place.ts'
import { Refusal } from './refusal.ts'
import { Account, listOf, Profile, Project } from './schema.ts'

/** Verifies a token by listing projects, or finds out who signed in and their organisations. */
export async function check(context: Context): Promise<SignedIn> {
  const secrets = AzureSecrets.safeParse(context.secrets).data
  return secrets && 'access_token' in secrets ? checkSignIn(context) : checkToken(context)
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
    settings: { name, organization: name, organizations: [name] },
    secrets: context.secrets,
  }
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
    settings: { name: organizations.length === 1 ? only : (displayName ?? 'Azure DevOps'), organizations },
    secrets: context.secrets,
  }
}
