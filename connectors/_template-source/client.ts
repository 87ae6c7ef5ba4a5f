import type * as z from 'zod/mini'
import type { Context, HttpRequest } from '../connector.ts'
import { AuthExpired } from '../kit/errors.ts'
import { type JsonCall, jsonCall } from '../kit/http/json-call.ts'
import { Secrets } from './manifest.ts'

/** The provider's name, as its users know it. */
export const WHO = 'The help desk'
const DEFAULT_URL = 'https://api.helpdesk.example'

/** Where the API is: the stand-in’s address in tests. */
export const helpdeskUrl = ({ baseUrl }: Pick<Context, 'baseUrl'>) => baseUrl ?? DEFAULT_URL

/** The stored tokens; `AuthExpired` without any. */
export function secretsOf({ secrets }: Pick<Context, 'secrets'>): z.infer<typeof Secrets> {
  const parsed = Secrets.safeParse(secrets)
  if (!parsed.success) throw new AuthExpired(`${WHO} is not signed in. Connect again`)
  return parsed.data
}

type Call<T extends z.ZodMiniType> = Pick<JsonCall<T>, 'name' | 'query' | 'body' | 'schema' | 'failures'> & {
  path: string
  method?: HttpRequest['method']
  /** False for the requests that obtain credentials. */
  signedIn?: false
}

/** One request to the help desk, sent once. Its limits are 429 with `Retry-After`, the default of `jsonCall`. */
export async function call<T extends z.ZodMiniType>(
  context: Context,
  { path, method = 'GET', signedIn, ...rest }: Call<T>,
): Promise<z.infer<T>> {
  const { data } = await jsonCall(context, {
    ...rest,
    who: WHO,
    method,
    url: `${helpdeskUrl(context)}${path}`,
    authorization: signedIn === false ? null : authorizationOf(context),
  })
  return data
}

function authorizationOf(context: Context): string {
  const secrets = secretsOf(context)
  return `Bearer ${'token' in secrets ? secrets.token : secrets.access_token}`
}
