import type { Services } from '../../platform/services.ts'
import { siteUrl } from '../site-url.ts'

/** The address at which people in a workspace sign in through its provider. */
export function ssoLink(services: Pick<Services, 'config'>, workspaceId: string): string {
  return `${siteUrl(services)}${ssoPath(workspaceId)}`
}

/** Where the provider of a workspace returns browsers to, on this server. Each has its own: no code gets to another provider than its own. */
export function ssoCallbackPath(workspaceId: string): string {
  return `${ssoPath(workspaceId)}/callback`
}

/** The path of the sign-in link. */
export function ssoPath(workspaceId: string): string {
  return `/api/sso/${workspaceId}`
}
