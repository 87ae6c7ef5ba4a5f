import { listThemes } from '@groundswell/contract/insights/themes.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { POLL_INTERVAL_MS } from '../../../ui/constants.ts'
import { callUnlessSame, type Tagged } from '../../client/index.ts'
import { useHasExtras } from '../../operations/index.ts'

/** The first part of the keys of queries for themes. */
export const THEMES = 'themes'

/** The themes; undefined while they are unknown, as on a server without them. */
export function useThemes() {
  const enabled = useHasExtras()
  const last = useRef<Tagged<ReplyOf<typeof listThemes>>>(undefined)
  return useQuery({
    queryKey: [THEMES],
    queryFn: async () => {
      last.current = await callUnlessSame(listThemes, last.current)
      return last.current.reply
    },
    enabled,
    refetchInterval: POLL_INTERVAL_MS,
  }).data?.themes
}
