import { listMergeSuggestions, listSuggestions } from '@groundswell/contract/insights/suggestions.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { POLL_INTERVAL_MS } from '../../../ui/constants.ts'
import { call, callUnlessSame, type Tagged } from '../../client/index.ts'
import { useHasExtras } from '../../operations/index.ts'

/** The first part of the keys of queries for suggested mentions. */
export const SUGGESTIONS = 'suggestions'
/** The first part of the keys of queries for suggested merges. */
export const MERGES = 'merge-suggestions'

/** Mentions that may belong to an insight. `version` changes with the insight; undefined while they are unknown. */
export function useSuggestions(issueNumber: number, version: string) {
  return useQuery({
    queryKey: [SUGGESTIONS, issueNumber, version],
    queryFn: () => call(listSuggestions, { params: { issue_number: issueNumber } }),
    placeholderData: (before, query) => (query?.queryKey[1] === issueNumber ? before : undefined),
    retry: false,
  }).data
}

/** Insights that look like one subject; undefined while they are unknown, as on a server without them. */
export function useMergeSuggestions() {
  const enabled = useHasExtras()
  const last = useRef<Tagged<ReplyOf<typeof listMergeSuggestions>>>(undefined)
  return useQuery({
    queryKey: [MERGES],
    queryFn: async () => {
      last.current = await callUnlessSame(listMergeSuggestions, last.current)
      return last.current.reply
    },
    enabled,
    refetchInterval: POLL_INTERVAL_MS,
  }).data
}
