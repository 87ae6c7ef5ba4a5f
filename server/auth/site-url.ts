import type { RequestFacts } from '../platform/http/handle.ts'
import type { Services } from '../platform/services.ts'

/** The public address of the protocol's calls. */
export function authBase(services: Pick<Services, 'config'>): string {
  return `${siteUrl(services)}/auth/v1`
}

/** The public address of the product, without a trailing slash. */
export function siteUrl({ config }: Pick<Services, 'config'>): string {
  return config.publicUrl ?? `http://localhost:${config.port}`
}

/**
 * Our address as the browser of a sign-in knows it. Without a PUBLIC_URL it is the loopback name that the browser used (localhost,
 * 127.0.0.1): the flow's cookie is valid for that name only.
 */
export function originOf(services: Pick<Services, 'config'>, { headers }: Pick<RequestFacts, 'headers'>): string {
  const came = services.config.publicUrl === undefined ? URL.parse(`http://${String(headers['host'])}`) : null
  return came && isLoopback(came) ? came.origin : siteUrl(services)
}

/** True for a loopback address. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
