import type * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { ItemGone, Rejected } from '../kit/errors.ts'
import { type JsonCall, jsonCall } from '../kit/http/json-call.ts'
import { Secrets } from './manifest.ts'

const DEFAULT_URL = 'https://tracker.example.com/api'

type Call<T extends z.ZodMiniType> = Pick<JsonCall<T>, 'method' | 'name' | 'query' | 'schema'> & {
  path: string
  json?: unknown
}

/** One request to the tracker. A path that names an item which no longer exists is `ItemGone`. */
export async function call<T extends z.ZodMiniType>(
  context: Context,
  { path, json, ...rest }: Call<T>,
): Promise<z.infer<T>> {
  const secrets = Secrets.safeParse(context.secrets)
  if (!secrets.success) throw new Rejected('The tracker is not set up: connect it again')
  const { data } = await jsonCall(context, {
    ...rest,
    who: 'The tracker',
    url: `${context.baseUrl ?? DEFAULT_URL}${path}`,
    authorization: `Bearer ${secrets.data.token}`,
    ...(json === undefined ? {} : { body: { json } }),
    failures: ({ response, options }) =>
      response.status === 404 ? new ItemGone('The item no longer exists in the tracker', options) : null,
    ledger: true,
  })
  return data
}
