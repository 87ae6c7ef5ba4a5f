import type * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { call } from './client.ts'
import type { PageInfo } from './schema.ts'

/** More pages than this are not read: a list to choose from would be useless. */
const MAX_PAGES = 20

type ListPage<I> = z.ZodMiniType<{ items: I[]; page: PageInfo }>

/** All pages of a short list. The next page is requested by its number, never by an address that a response contains. */
export async function listAll<I>(context: Context, name: string, schema: ListPage<I>): Promise<I[]> {
  const all: I[] = []
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { data } = await call(context, { name, path: `/v2/${name}`, query: { page }, schema })
    all.push(...data.items)
    if (page >= data.page.totalPages) break
  }
  return all
}
