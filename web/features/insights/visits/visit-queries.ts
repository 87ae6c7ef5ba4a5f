import { listChanges, noteVisit } from '@groundswell/contract/insights/visits.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { CHANGES_POLL_MS, VISIT_INTERVAL_MS } from '../../../ui/constants.ts'
import { useUserData } from '../../accounts/index.ts'
import { call, callUnlessSame, type Tagged } from '../../client/index.ts'

/** What changed since the last visit, by group. */
export type Changes = ReplyOf<typeof listChanges>

/**
 * When the person's previous visit ended; null during their first, and on other servers. Known from the user data before the first paint. While
 * `enabled` this visit is noted too, repeatedly while the page is visible.
 */
export function useSince(enabled: boolean): string | null {
  const known = useUserData()?.previous_visit
  const { data } = useQuery({
    queryKey: ['visit'],
    queryFn: () => call(noteVisit, {}),
    // Other servers send no such field.
    enabled: enabled && known !== undefined,
    refetchInterval: VISIT_INTERVAL_MS,
    refetchOnWindowFocus: 'always',
  })
  return data ? data.since : (known ?? null)
}

/** What changed since a time; undefined until it is known, null when it could not be loaded or there is no such time. */
export function useChanges(since: string | null, enabled: boolean): Changes | null | undefined {
  const last = useRef<{ since: string; tagged: Tagged<Changes> }>(undefined)
  const { data, isError } = useQuery({
    queryKey: ['changes', since],
    queryFn: async () => {
      const at = since ?? ''
      const before = last.current?.since === at ? last.current.tagged : undefined
      const tagged = await callUnlessSame(listChanges, before, { query: { since: at } })
      last.current = { since: at, tagged }
      return tagged.reply
    },
    enabled: enabled && since !== null,
    // Counted again after every change, so less often than the list.
    refetchInterval: CHANGES_POLL_MS,
  })
  return since === null || (isError && !data) ? null : data
}
