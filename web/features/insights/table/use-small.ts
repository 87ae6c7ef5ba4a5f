import { isCopied, isSmall } from '@groundswell/contract/insights/small-insight.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { useMemo } from 'react'
import { useUserData } from '../../accounts/index.ts'

/** A shorter list is easily seen as a whole, as of a new account or with a filter: only copies are folded there. */
const FOLDED_FROM = 11

/**
 * The rows without the small insights, and how many those are. None is folded where nothing else would be left, without `enabled`, and on a server
 * without our calls.
 */
export function useSmall(shown: readonly Insight[] | null, enabled: boolean) {
  const user = useUserData()
  const settings = enabled && user?.previous_visit !== undefined ? user.settings : null
  return useMemo(() => {
    const all = shown ?? []
    const folded = (one: Insight) =>
      settings !== null && isSmall(one, settings) && (all.length >= FOLDED_FROM || isCopied(one, settings))
    const regular = all.filter((one) => !folded(one))
    const small = regular.length > 0 ? all.length - regular.length : 0
    return { rows: small > 0 ? regular : shown, small }
  }, [shown, settings])
}
