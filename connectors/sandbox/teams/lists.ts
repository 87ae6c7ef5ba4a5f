import type { StoredMessage, TenantData } from './tenant.ts'
import { type Json, messageView } from './views.ts'

export type Reply = { status: number; body: Json | null }
export const ok = (body: Json): Reply => ({ status: 200, body })
/** An error of Graph. */
export const failed = (status: number, code: string, message: string) => ({
  status,
  body: { error: { code, message } },
})
export const notFound = () => failed(404, 'NotFound', 'The resource could not be found.')

/**
 * `base`: the address of the call, for links. `pageSize`: the most messages in a response. `expanded`: the most replies
 * with each post.
 */
export type Listed = {
  tenant: TenantData
  query: URLSearchParams
  base: string
  pageSize: number
  expanded: number
  expired: number
}

/** `$top` of the request, or of the first one where its token has it. */
const sizeOf = ({ query, pageSize }: Listed, token: Json | null = null) =>
  Math.min(pageSize, Number(query.get('$top') ?? token?.top) || 20)
/** Marks at the end of a token are part of a fault, and are ignored. */
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
export const decode = (token: string | null): Json | null => {
  try {
    return token === null ? null : (JSON.parse(Buffer.from(token.replace(/~+$/, ''), 'base64url').toString()) as Json)
  } catch {
    return {}
  }
}
const linkOf = (base: string, values: Record<string, string>) => `${base}?${new URLSearchParams(values).toString()}`

/** A post with its newest replies, and a link to the rest of them where there are more. */
function postView({ tenant, base, expanded }: Listed, post: StoredMessage): Json {
  const replies = tenant.messages.filter((one) => one.root === post.id).toSorted((a, b) => Number(b.id) - Number(a.id))
  const shown = replies.slice(0, expanded)
  const path = `${base.replace(/\/delta$/, '')}/${post.id}/replies`
  const rest = linkOf(path, { $skiptoken: encode({ before: Number(shown.at(-1)?.id ?? Number.MAX_SAFE_INTEGER) }) })
  return {
    ...messageView(post, shown),
    'replies@odata.count': shown.length,
    ...(replies.length > shown.length ? { 'replies@odata.nextLink': rest } : {}),
  }
}

/** Messages newest first. A token is the last message shown, so posts meanwhile neither repeat nor hide others. */
export function listMessages(listed: Listed, channel: string, root: string | null): Reply {
  const { tenant, query, base } = listed
  const size = sizeOf(listed)
  const token = decode(query.get('$skiptoken'))
  const before = token === null ? Number.POSITIVE_INFINITY : Number(token.before)
  if (Number.isNaN(before)) return failed(400, 'BadRequest', 'Invalid $skiptoken')
  const all = tenant.messages.filter((one) => one.channel === channel && one.root === root && Number(one.id) < before)
  const sorted = all.toSorted((a, b) => Number(b.id) - Number(a.id))
  const shown = sorted.slice(0, size)
  const last = shown.at(-1)
  const expand = query.get('$expand') === 'replies'
  const again = { $top: String(size), ...(expand ? { $expand: 'replies' } : {}) }
  return ok({
    '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#messages',
    '@odata.count': shown.length,
    ...(sorted.length > size && last
      ? { '@odata.nextLink': linkOf(base, { ...again, $skiptoken: encode({ before: Number(last.id) }) }) }
      : {}),
    value: shown.map((one) => (expand ? postView(listed, one) : messageView(one))),
  })
}

/** Posts in the order of their last change. A purged one leaves no trace. Tokens contain the parameters of the first request. */
export function deltaMessages(listed: Listed, channel: string): Reply {
  const { tenant, query, base, expired } = listed
  const kept = query.get('$deltatoken')
  const token = decode(kept ?? query.get('$skiptoken'))
  const filter = /^lastModifiedDateTime gt (\S+)$/.exec(query.get('$filter') ?? '')
  if (query.has('$filter') && !filter) return failed(400, 'BadRequest', 'The filter is not supported')
  const after = token === null ? 0 : Number(token.after)
  if (Number.isNaN(after)) return failed(400, 'BadRequest', 'Invalid token')
  if (kept !== null && after < expired) return failed(410, 'SyncStateNotFound', 'The sync state was not found')
  const from = token === null ? (filter ? Date.parse(filter[1] ?? '') : 0) : Number(token.from ?? 0)
  const size = sizeOf(listed, token)
  const expand = token === null ? query.get('$expand') === 'replies' : token.expand === true
  // The filter is about the post with its replies.
  const recent = new Set(tenant.messages.filter(({ modified }) => modified > from).map(({ id, root }) => root ?? id))
  const changed = tenant.messages
    .filter((one) => one.channel === channel && one.root === null && one.change > after && recent.has(one.id))
    .toSorted((a, b) => a.change - b.change)
  const shown = changed.slice(0, size)
  const more = changed.length > size
  const reached = Math.max(after, ...shown.map(({ change }) => change))
  const link = more
    ? { '@odata.nextLink': linkOf(base, { $skiptoken: encode({ after: reached, from, top: size, expand }) }) }
    : { '@odata.deltaLink': linkOf(base, { $deltatoken: encode({ after: reached, from: 0, top: size, expand }) }) }
  const value = shown.map((one) => (expand ? postView(listed, one) : messageView(one)))
  return ok({ '@odata.context': '…#chatMessages', ...link, value })
}
