import { z } from 'zod'

/** Texts with commas between them, without spaces around them. */
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)

/** A whole number, from `least` to `most`. */
export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be a whole number from ${least} to ${most}`)

/** An address with one of these schemes. */
export const address = (schemes: string[]) =>
  z.string().refine(
    (text) => {
      const parsed = URL.parse(text)
      return parsed !== null && schemes.includes(parsed.protocol.slice(0, -1))
    },
    `must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  )

/** An HTTP or HTTPS address without trailing slashes. */
export const webAddress = address(['http', 'https']).transform((text) => text.replace(/\/+$/, ''))

/** An origin such as https://app.example.com: no path. */
export const origin = webAddress.refine(
  (text) => URL.parse(text)?.origin === text,
  'must hold origins such as https://app.example.com, without a path, with commas between',
)

/** The keys that verify tokens come from there, so they must not be read over an unencrypted network. */
export const issuer = webAddress.refine(
  (text) =>
    text.startsWith('https:') || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(URL.parse(text)?.hostname ?? ''),
  'must start with https:// unless it is on this machine',
)

/** A PostgreSQL address is not always a WHATWG URL (several hosts, a socket path), so only its scheme is checked. */
export const databaseAddress = z
  .string()
  .regex(/^postgres(ql)?:\/\/./, 'must be an address that starts with postgresql:// or postgres://')

/** Which proxies are believed: all, none, a number of them, or those at these addresses. */
export const trustProxy = z.string().transform((text): boolean | number | string => {
  if (/^(true|yes)$/i.test(text)) return true
  if (/^(false|no)$/i.test(text)) return false
  return /^\d+$/.test(text) ? Number(text) : text
})

/** One of these texts; the message names them. */
export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, `must be one of ${values.join(', ')}`)

/** true, yes or 1; false, no or 0; in any case. */
export const yesOrNo = z
  .string()
  .regex(/^(true|yes|1|false|no|0)$/i, 'must be true or false')
  .transform((text) => /^(true|yes|1)$/i.test(text))

/** `off`, or a list such as `login=20,refresh=300`. */
export const rateLimits = z
  .string()
  .regex(
    /^(off|\s*[a-z_]+=\d{1,9}\s*(,\s*[a-z_]+=\d{1,9}\s*)*)$/,
    'must be off, or names with numbers such as login=20,refresh=300',
  )
  .transform((text) => {
    if (text === 'off') return null
    const pairs = text.split(',').map((part) => part.trim().split('='))
    return Object.fromEntries(pairs.map(([name = '', most]) => [name, Number(most)]))
  })

/** The 32 bytes of a key written as 64 hex digits or as base64 (either alphabet), or null. */
export function decodeKey(text: string): Buffer | null {
  const trimmed = text.trim()
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex')
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return null
  const bytes = Buffer.from(trimmed, 'base64')
  return bytes.length === 32 ? bytes : null
}
