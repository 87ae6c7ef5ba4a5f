import * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { hostUrl } from '../kit/http/host-url.ts'

const API_URL = 'https://api.github.com'
/** The first version whose API has versions as GitHub.com has. */
const MIN_VERSION = [3, 9] as const

/** The message where nothing at an address answers as a GitHub Enterprise Server. */
export const NO_SERVER = 'There is no GitHub Enterprise Server at this address. For GitHub.com, leave it empty'

const Settings = z.object({ server: z.string().check(z.minLength(1)) })

/** The typed address of a server: empty is GitHub.com, otherwise its origin, without a trailing slash. */
export const ServerAddress = z.optional(
  z.pipe(
    z.string().check(
      z.trim(),
      z.maxLength(300, 'An address has at most 300 characters'),
      z.refine((text) => text === '' || isOrigin(text), 'Enter the address alone, such as https://github.example.com'),
    ),
    z.transform((text: string) => (text === '' ? undefined : originOf(text))),
  ),
)

/** GitHub Enterprise Cloud with data residency: an enterprise has a host of its own, and its API another one. */
const RESIDENCE = /^(?:api\.)?([a-z0-9-]+\.ghe\.com)$/

/** The origin of a server; of data residency the host that people open. */
function originOf(text: string): string {
  const { origin, hostname } = new URL(text)
  const [, host] = RESIDENCE.exec(hostname) ?? []
  return host === undefined ? origin : `https://${host}`
}

/** The host of the connection's data residency, such as `acme.ghe.com`; null: GitHub.com, or a server of one's own. */
export function residenceOf(context: Pick<Context, 'settings'>): string | null {
  const server = serverOf(context)
  return server === null ? null : (RESIDENCE.exec(new URL(server).hostname)?.[1] ?? null)
}

/** Whether an address is http or https with nothing but a host, and perhaps a port. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, pathname, search, hash, username, password } = new URL(text)
  return (
    /^https?:$/.test(protocol) && pathname === '/' && [search, hash, username, password].every((part) => part === '')
  )
}

/** The address of the connection's GitHub Enterprise Server or data residency, without a trailing slash; null: GitHub.com. */
export const serverOf = ({ settings }: Pick<Context, 'settings'>): string | null =>
  Settings.safeParse(settings).data?.server ?? null

/** The address of the API, without a trailing slash. A server has it on its own host, data residency on a second one. */
export function apiUrl(context: Pick<Context, 'settings' | 'baseUrl' | 'hostUrls'>): string {
  const residence = residenceOf(context)
  if (residence !== null) return hostUrl(context, 'api', `https://api.${residence}`)
  const server = serverOf(context)
  return server === null ? hostUrl(context, 'api', API_URL) : `${server}/api/v3`
}

/** The account of a person: their number is unique on one server only. */
export function accountOf(context: Pick<Context, 'settings'>, id: number): string {
  const server = serverOf(context)
  return server === null ? `user-${id}` : `user-${id}@${new URL(server).host}`
}

/** Throws `Rejected` where the version, as the server reports it, is missing or too old. */
export function requireVersion(version: string | undefined): void {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version ?? '') ?? []
  if (major === undefined || minor === undefined) {
    throw new Rejected(NO_SERVER)
  }
  const isOld = Number(major) < MIN_VERSION[0] || (Number(major) === MIN_VERSION[0] && Number(minor) < MIN_VERSION[1])
  if (isOld) {
    throw new Rejected(`The server has version ${major}.${minor} of GitHub Enterprise Server: 3.9 or later is required`)
  }
}
