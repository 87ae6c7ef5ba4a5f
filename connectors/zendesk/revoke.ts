import * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { withPageSize } from '../kit/page-size.ts'
import { call, PAGE_SIZES, ZendeskRefusal } from './client.ts'
import { ZendeskSecrets } from './manifest.ts'
import { TokenList } from './schema.ts'

/** How much of an access token Zendesk shows in a list. */
const SHOWN = 10
const MAX_PAGES = 50

/**
 * Revokes the tokens of OAuth. A pasted API token is left alone: it may be in use elsewhere. Where the sign-in's scopes do not allow
 * it, the token ends when it expires.
 */
export async function revoke(context: Context): Promise<void> {
  const held = ZendeskSecrets.safeParse(context.secrets).data
  if (!held || !('access_token' in held)) return
  try {
    const id = await tokenId(context, held.access_token.slice(0, SHOWN))
    if (id === null) return
    await call(context, {
      name: 'revoke token',
      method: 'DELETE',
      path: `/api/v2/oauth/tokens/${id}`,
      schema: z.unknown(),
    })
  } catch (error) {
    if (!(error instanceof ZendeskRefusal)) throw error
    context.log.warn(
      { status: error.status },
      'Zendesk did not allow the sign-in to revoke itself: it ends when it expires',
    )
  }
}

async function tokenId(context: Context, shown: string): Promise<number | null> {
  let after: string | null = null
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const list: z.infer<typeof TokenList> = (
      await withPageSize(PAGE_SIZES, (size) =>
        call(context, {
          name: 'oauth/tokens',
          path: '/api/v2/oauth/tokens',
          query: after === null ? {} : { 'page[size]': size, 'page[after]': after },
          schema: TokenList,
        }),
      )
    ).data
    const found = list.tokens.find(({ token }) => token?.slice(0, SHOWN) === shown)
    if (found) return found.id
    const next = list.meta?.has_more ? (list.meta.after_cursor ?? null) : null
    if (next === null || next === after) return null
    after = next
  }
  return null
}
