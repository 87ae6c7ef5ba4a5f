import type { Services } from '../platform/services.ts'

/** The public address of the protocol's calls. */
export function authBase(services: Pick<Services, 'config'>): string {
  return `${siteUrl(services)}/auth/v1`
}

/** The public address of the product, without a trailing slash. */
export function siteUrl({ config }: Pick<Services, 'config'>): string {
  return config.publicUrl ?? `http://localhost:${config.port}`
}
