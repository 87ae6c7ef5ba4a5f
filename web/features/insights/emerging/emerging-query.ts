import { listEmerging } from '@groundswell/contract/insights/emerging.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { POLL_INTERVAL_MS } from '../../../ui/constants.ts'
import { callUnlessSame, type Tagged } from '../../client/index.ts'
import { useHasExtras } from '../../operations/index.ts'

/** The first part of the keys of queries for emerging insights. */
export const EMERGING = 'emerging'

/** Insights that are emerging; undefined while that is unknown, as on a server without them. */
export function useEmerging() {
  const enabled = useHasExtras()
  const last = useRef<Tagged<ReplyOf<typeof listEmerging>>>(undefined)
  return useQuery({
    queryKey: [EMERGING],
    queryFn: async () => {
      last.current = await callUnlessSame(listEmerging, last.current)
      return last.current.reply
    },
    enabled,
    refetchInterval: POLL_INTERVAL_MS,
  }).data
}
