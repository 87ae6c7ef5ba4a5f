import * as z from 'zod/mini'
import type { Context } from '../connector.ts'

/** The versions of the API that are used, newest first. Azure DevOps Services has the first; a server says which it has. */
export const API_VERSIONS = ['7.1', '7.0', '6.0'] as const
export type ApiVersion = (typeof API_VERSIONS)[number]

/** A part of the API that is, or was, in preview: it has its own versions. */
export type PreviewPart = 'comments' | 'states'
const PREVIEWS: Readonly<Record<PreviewPart, Readonly<Record<ApiVersion, string>>>> = {
  comments: { '7.1': '7.1-preview.4', '7.0': '7.0-preview.3', '6.0': '6.0-preview.3' },
  states: { '7.1': '7.1', '7.0': '7.0', '6.0': '6.0-preview.1' },
}

/** The message where nothing at an address answers as an Azure DevOps Server. */
export const NO_SERVER =
  'There is no Azure DevOps Server with such a collection at this address. For dev.azure.com, enter the organization instead'

/** Hosts of Azure DevOps Services, which are no server of one's own. */
const SERVICES = /(?:^|\.)(?:dev\.azure|visualstudio)\.com$/

/** A collection on a server, with at most one virtual directory such as `tfs` before it. */
const COLLECTION_PATH = /^(?:\/[^/]+){1,2}$/
/** A part of a path as it is sent. Encoded slashes would make two of it. */
const SEGMENT = /^(?:[\w.~!()-]|%(?!2F|5C|00)[0-9A-F]{2}){1,300}$/

/** The typed address of a collection, such as `https://devops.example.com/DefaultCollection`; empty is undefined. */
export const CollectionAddress = z.optional(
  z.pipe(
    z.string().check(
      z.trim(),
      z.maxLength(500, 'An address has at most 500 characters'),
      z.refine(
        (text) => text === '' || !isOfServices(text),
        'This is Azure DevOps Services: enter the organization instead, and leave this empty',
      ),
      z.refine(
        (text) => text === '' || isOfServices(text) || collectionUrl(text) !== null,
        'Enter the address of a collection, such as https://devops.example.com/DefaultCollection',
      ),
    ),
    z.transform((text: string) => collectionUrl(text) ?? undefined),
  ),
)

const isOfServices = (text: string) => URL.canParse(text) && SERVICES.test(new URL(text).hostname)

/** The normalised address without a trailing slash; null where it is not that of a collection. */
function collectionUrl(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, origin, pathname, search, hash, username, password } = new URL(text)
  if (!/^https?:$/.test(protocol) || [search, hash, username, password].some((part) => part !== '')) return null
  const path = upperEscapes(pathname.replace(/\/+$/, ''))
  const isWhole =
    COLLECTION_PATH.test(path) &&
    path
      .slice(1)
      .split('/')
      .every((part) => SEGMENT.test(part))
  return isWhole ? `${origin}${path}` : null
}

const upperEscapes = (path: string) => path.replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase())

const Version = z.enum(API_VERSIONS)
const Settings = z.object({
  server: z.string().check(z.minLength(1)),
  api_version: z.optional(z.unknown()),
})

/**
 * The Azure DevOps Server of a connection. `url` is its address without a trailing slash, `collection` the part of a path, encoded, that
 * takes the place of an organisation's name.
 */
export type Server = { url: string; collection: string; version: ApiVersion }

/** Null: Azure DevOps Services. */
export function serverOf({ settings }: Pick<Context, 'settings'>): Server | null {
  const stored = Settings.safeParse(settings).data
  if (!stored) return null
  const at = stored.server.lastIndexOf('/')
  // Every server that is supported has the oldest version.
  const version = Version.safeParse(stored.api_version).data ?? '6.0'
  return { url: stored.server.slice(0, at), collection: stored.server.slice(at + 1), version }
}

/** The value of `api-version` for a request. */
export function apiVersion(context: Pick<Context, 'settings'>, part?: PreviewPart, wanted?: ApiVersion): string {
  const version = wanted ?? serverOf(context)?.version ?? API_VERSIONS[0]
  return part === undefined ? version : PREVIEWS[part][version]
}
