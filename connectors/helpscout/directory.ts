import type { Context } from '../connector.ts'
import { apiUrl, unlessRefused } from './client.ts'
import { listAll } from './lists.ts'
import { Mailboxes } from './schema.ts'

const HOUR_MS = 3_600_000
const KEPT_SIGN_INS = 20

type Known = { at: number; names: Promise<ReadonlyMap<number, string>> }
const newCache = () => new Map<string, Known>()

/**
 * The names of the inboxes by id, cached for an hour in this process; none where the sign-in may not list them. The key has the token,
 * because people see different inboxes.
 */
export async function inboxNames(context: Context): Promise<ReadonlyMap<number, string>> {
  const cache = context.cache(newCache)
  const key = `${apiUrl(context)} ${context.secrets.access_token ?? ''}`
  const now = context.now().getTime()
  const known = cache.get(key)
  if (known && Math.abs(now - known.at) < HOUR_MS) return await known.names
  const names = list(context)
  cache.delete(key)
  cache.set(key, { at: now, names })
  const oldest = cache.keys().next().value
  if (cache.size > KEPT_SIGN_INS && oldest !== undefined) cache.delete(oldest)
  try {
    return await names
  } catch (error) {
    if (cache.get(key)?.names === names) cache.delete(key)
    throw error
  }
}

async function list(context: Context): Promise<ReadonlyMap<number, string>> {
  const inboxes = (await unlessRefused(listAll(context, 'mailboxes', Mailboxes))) ?? []
  return new Map(inboxes.map(({ id, name }) => [id, name]))
}
