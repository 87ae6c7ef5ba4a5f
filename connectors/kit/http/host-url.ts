import type { Context } from '../../connector.ts'

/**
 * The address of one of a provider's hosts, without a trailing slash: that of `{ID}_{HOST}_BASE_URL`, else of `{ID}_BASE_URL`, else the
 * provider's own. `host` is in lower case, such as `login` for the consent page and tokens.
 */
export function hostUrl(
  { baseUrl, hostUrls }: Pick<Context, 'baseUrl' | 'hostUrls'>,
  host: string,
  own: string,
): string {
  return (hostUrls?.[host] ?? baseUrl ?? own).replace(/\/+$/, '')
}
