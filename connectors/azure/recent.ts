import type { Context } from '../connector.ts'
import { apiUrl } from './place.ts'

const KEPT_MS = 600_000
const MAX_KEPT = 1000

/** What was read in the last ten minutes, by what it is about. */
export type Recent<T> = Map<string, { value: T; until: number }>

/** A value that rarely changes and is needed often: read again after ten minutes, or where the known one is not `usable`. */
export async function recently<T>(
  context: Context,
  remembered: () => Recent<T>,
  about: readonly string[],
  read: () => Promise<T>,
  usable: (value: T) => boolean = () => true,
): Promise<T> {
  const recent = context.cache(remembered)
  const key = JSON.stringify([apiUrl(context), ...about])
  const now = context.now().getTime()
  const known = recent.get(key)
  if (known && known.until > now && usable(known.value)) return known.value
  const value = await read()
  if (recent.size >= MAX_KEPT) recent.clear()
  recent.set(key, { value, until: now + KEPT_MS })
  return value
}
