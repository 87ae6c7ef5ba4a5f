/** How a reply is encoded. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** The best encoding that a client takes, by its Accept-Encoding. */
export function bestEncoding(accepted: string | string[] | undefined): Encoding {
  const names = String(accepted ?? '')
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim())
  if (names.includes('br')) return 'br'
  return names.includes('gzip') ? 'gzip' : 'identity'
}
