import type * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { call } from './client.ts'

/** More pages than this are not read: a list to choose from would be useless. */
const MAX_PAGES = 20

type ListPage<I> = z.ZodMiniType<{ items: I[]; more: boolean }>

/** All pages of a short list. The next page is requested by its number, never by an address that a response contains. */
export async function listAll<I>(context: Context, name: string, schema: ListPage<I>): Promise<I[]> {
  const all: I[] = []
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = page === 1 ? {} : { page }
    const { data } = await call(context, { name, path: `/api/v2/${name}`, query, schema })
    all.push(...data.items)
    if (!data.more || data.items.length === 0) break
  }
  return all
}
