import type { Config } from '../../platform/config/config.ts'
import type { Services } from '../../platform/services.ts'
import { isLoopback, siteUrl } from '../site-url.ts'

const RUNS_CODE = /^(javascript|data|vbscript|blob|file):$/

/**
 * Where to redirect a browser: the requested address if it is ours or matches AUTH_REDIRECT_URLS, else the referrer if that
 * does, else our own address.
 */
export function redirectTarget(
  services: Pick<Services, 'config'>,
  requested: string | undefined,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string {
  const { referer } = headers
  for (const candidate of [requested, typeof referer === 'string' ? referer : undefined]) {
    if (candidate !== undefined && mayRedirect(services.config, candidate)) return candidate
  }
  return siteUrl(services)
}

/** True for our own address (on this machine with any port), and for what matches a pattern of AUTH_REDIRECT_URLS. */
export function mayRedirect(config: Pick<Config, 'publicUrl' | 'port' | 'authRedirectUrls'>, address: string): boolean {
  const url = URL.parse(address)
  if (!url || RUNS_CODE.test(url.protocol) || url.username !== '' || url.password !== '') return false
  if (isOurs(new URL(siteUrl({ config } as Pick<Services, 'config'>)), url)) return true
  url.hash = ''
  return config.authRedirectUrls.some(
    (pattern) => globOf(pattern).test(url.href) || globOf(pattern).test(url.href.replace(/\/$/, '')),
  )
}

/** The address with fields added to its query. */
export function withQuery(address: string, fields: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.href
}

/** The address with fields as its fragment, which only the page itself can read. */
export function withFragment(address: string, fields: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  url.hash = new URLSearchParams(fields).toString()
  return url.href
}

function isOurs(site: URL, url: URL): boolean {
  if (site.protocol !== url.protocol) return false
  if (isLoopback(site)) return isLoopback(url)
  return site.host === url.host
}

/** `*` is any text without a dot or slash, `**` any text at all. */
function globOf(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*|\*)/).map((part) => {
    if (part === '**') return '.*'
    return part === '*' ? '[^./]*' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('')}$`)
}
