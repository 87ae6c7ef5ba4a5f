import pg from 'pg'

/** A number from the database does not fit a JavaScript number exactly. */
export class NumberRangeError extends RangeError {
  override name = 'NumberRangeError'
}

/** The role under which the product works: it owns no table and row-level security applies to it. */
export const APP_ROLE = 'groundswell_app'

/**
 * The role of the code that signs people in: a member of the app's role that may also read and write the tables of accounts. The app's
 * role cannot take it.
 */
export const AUTH_ROLE = 'groundswell_auth'

const INT8 = 20
const INT8_ARRAY = 1016

/**
 * How values are parsed: int8 as a number, refused where it would lose digits. The rest is parsed by the driver
 * (timestamptz as Date, jsonb parsed, real[] as numbers).
 */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary') {
      if (oid === INT8) return parseInt8
      if (oid === INT8_ARRAY) return parseInt8Array
    }
    return pg.types.getTypeParser(oid, format)
  }) as pg.CustomTypesConfig['getTypeParser'],
}

const parseTextArray: (text: string) => (string | null)[] = pg.types.getTypeParser(1009 as never)

function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new NumberRangeError(`${text} is too large to be read as a number`)
  return value
}

function parseInt8Array(text: string): (number | null)[] {
  const items = parseTextArray(text)
  return items.map((item) => (item === null ? null : parseInt8(item)))
}

/** True when the address signs in as the app's role itself. */
export function signsInAsApp(url: string): boolean {
  return userOf(url) === APP_ROLE
}

/** True when both addresses sign in as the same user. */
export function sameUser(url: string, other: string): boolean {
  return userOf(url) === userOf(other)
}

function userOf(url: string): string {
  const [head, query] = splitQuery(url)
  return decodeURIComponent(new URLSearchParams(query).get('user') ?? /:\/\/([^:@/]*)(:[^@]*)?@/.exec(head)?.[1] ?? '')
}

/**
 * The same address, with every statement run as the app's role, whichever role the address signs in as. One that signs in as that
 * role is unchanged: a pooler in transaction mode accepts no start-up options.
 */
export function asAppRole(url: string): string {
  if (signsInAsApp(url)) return url
  const [head, query] = splitQuery(url)
  const parameters = new URLSearchParams(query)
  const option = `-c role=${APP_ROLE}`
  const options = parameters.get('options')
  parameters.set('options', options ? `${options} ${option}` : option)
  return `${head}?${encode(parameters)}`
}

/** The same server and sign-in, another database. */
export function withDatabase(url: string, database: string): string {
  const [head, query] = splitQuery(url)
  const start = head.indexOf('://') + 3
  const slash = head.indexOf('/', start)
  const server = slash === -1 ? head : head.slice(0, slash)
  return `${server}/${encodeURIComponent(database)}${query === '' ? '' : `?${query}`}`
}

/** The address without its password, for messages and log lines. */
export function withoutPassword(url: string): string {
  return url.replace(/(:\/\/[^:/@]*):[^@/]*@/, '$1@').replace(/([?&](?:password|sslpassword)=)[^&]*/gi, '$1…')
}

/** pg reads a plus sign in a query as a plus, so blanks are written as %20. */
function encode(parameters: URLSearchParams): string {
  return parameters.toString().replaceAll('+', '%20')
}

function splitQuery(url: string): [string, string] {
  const at = url.indexOf('?')
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}
