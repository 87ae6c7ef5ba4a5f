import type * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { call, encodeQuery, queryOfLink } from './client.ts'

/** More pages than this are not read: a list to choose from would be useless. */
const MAX_PAGES = 20

type Asked<I> = {
  name: string
  path: string
  query: Record<string, string>
  needs: string | null
  schema: z.ZodMiniType<{ value: I[]; '@odata.nextLink'?: string | null | undefined }>
}

/** All pages of a short list. */
export async function listAll<I>(context: Context, { query, ...asked }: Asked<I>): Promise<I[]> {
  const all: I[] = []
  let current = encodeQuery(query)
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { data } = await call(context, { ...asked, query: current })
    all.push(...data.value)
    const next = queryOfLink(data['@odata.nextLink'])
    if (next === null || next === current) break
    current = next
  }
  return all
}
