import * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { ItemGone, Rejected } from '../kit/errors.ts'
import { hostUrl } from '../kit/http/host-url.ts'
import { ORGANISATION } from './manifest.ts'
import { serverOf } from './server.ts'

const API_URL = 'https://dev.azure.com'
const SIGN_IN_URL = 'https://login.microsoftonline.com'
const PROFILE_URL = 'https://app.vssps.visualstudio.com'

type Addressed = Pick<Context, 'baseUrl' | 'hostUrls'>
type Configured = Pick<Context, 'settings'>

/** The address of the API, without a trailing slash: that of the connection's server, where it has one. */
export const apiUrl = (context: Addressed & Configured) => serverOf(context)?.url ?? hostUrl(context, 'api', API_URL)
/** The host of the consent page and of tokens, without a trailing slash. */
export const signInUrl = (context: Addressed) => hostUrl(context, 'login', SIGN_IN_URL)
/** The host that knows who signed in and their organisations, without a trailing slash. */
export const profileUrl = (context: Addressed) => hostUrl(context, 'profile', PROFILE_URL)

const Chosen = z.array(z.string())

/** The chosen values of a field, saved or not. */
export function chosenIn({ settings }: Configured, field: string): string[] {
  return Chosen.safeParse(settings[field]).data ?? []
}

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The organisations of a connection: that of the token, or those that the person who signed in belongs to. On a server, the collection is
 * the only one.
 */
export function organisationsOf(context: Configured): string[] {
  const server = serverOf(context)
  if (server) return [server.collection]
  return chosenIn(context, 'organizations').filter((name) => ORGANISATION.test(name))
}

/** The organisation that work items are created in: the chosen one, or the only one. Null: none is chosen. */
export function chosenOrganisation(context: Configured): string | null {
  const all = organisationsOf(context)
  const [chosen] = chosenIn(context, 'in_organization')
  if (all.length === 1) return all[0] ?? null
  return all.find((name) => name === chosen) ?? null
}

/** Throws `Rejected` where no organisation is chosen. */
export function organisationOf(context: Configured): string {
  const organisation = chosenOrganisation(context)
  if (organisation === null) throw new Rejected('No organization is chosen for Azure DevOps: choose one')
  return organisation
}

/** The chosen project's id; null where none is chosen. */
export function chosenProject(context: Configured): string | null {
  return (
    chosenIn(context, 'project')
      .find((id) => GUID.test(id))
      ?.toLowerCase() ?? null
  )
}

/** A project, by its id or its name. */
export type Place = { organisation: string; project: string }

/** Where work items are created. Throws `Rejected` where that is not chosen. */
export function placeOf(context: Configured): Place {
  const organisation = organisationOf(context)
  const project = chosenProject(context)
  if (project === null) throw new Rejected('No project is chosen for Azure DevOps: choose one')
  return { organisation, project }
}

/** The path of a project's API, without a trailing slash. */
export const projectPath = ({ organisation, project }: Place) => `/${organisation}/${encodeURIComponent(project)}/_apis`

/** The path of an organisation's API, without a trailing slash. */
export const organisationPath = (organisation: string) => `/${organisation}/_apis`

type ItemRef = { organisation: string; id: number }

/**
 * The id of a remote item. Azure's ids are unique within one organisation only, and another one may be chosen later. A work item keeps
 * its id when it is moved to another project.
 */
export const remoteIdOf = (context: Configured, organisation: string, id: number) =>
  `${scopeOf(context, organisation)}/${id}`

/** What is unique about an organisation. Collections of several servers have the same name. */
export function scopeOf(context: Configured, organisation: string): string {
  const server = serverOf(context)
  return `${server ? `${server.url.replace(/^https?:\/\//, '')}/` : ''}${organisation}`.toLowerCase()
}

/** The organisation and Azure's id of a remote item; null where its organisation is no longer connected. */
export function refOf(context: Configured, remoteId: string): ItemRef | null {
  const [, scope = '', id = ''] = /^(.+)\/(\d{1,10})$/.exec(remoteId) ?? []
  const organisation = organisationsOf(context).find((one) => scopeOf(context, one) === scope)
  return organisation === undefined ? null : { organisation, id: Number(id) }
}

/** The id of the project that a remote item was created in; null where it is not known. */
export function projectIn(data: Readonly<Record<string, unknown>>): string | null {
  const { project } = data
  return typeof project === 'string' && GUID.test(project) ? project : null
}

/** Throws `ItemGone` where the item's organisation is no longer connected. */
export function requireRef(context: Configured, remoteId: string): ItemRef {
  const ref = refOf(context, remoteId)
  if (ref === null) throw new ItemGone('The work item’s organization is no longer connected')
  return ref
}
