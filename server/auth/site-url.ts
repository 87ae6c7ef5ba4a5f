import type { Services } from '../platform/services.ts'

/** Where the calls of the protocol are, as people reach them. */
export function authBase(services: Pick<Services, 'config'>): string {
  return `${siteUrl(services)}/auth/v1`
}

/** The address of the product, as people reach it, without a slash at its end. */
export function siteUrl({ config }: Pick<Services, 'config'>): string {
  return config.publicUrl ?? `http://localhost:${config.port}`
}
