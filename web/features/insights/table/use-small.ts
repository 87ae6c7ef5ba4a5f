import type { Insight } from '@groundswell/contract/insights.ts'
import { useMemo } from 'react'
import { useUserData } from '../../accounts/index.ts'
import { isSmall } from './small.ts'

/** A shorter list is easily seen as a whole, as of a new account or with a filter. */
const FOLDED_FROM = 11

/**
 * The rows without the small insights, and how many those are. None is folded in a short list, where nothing else would be left, without
 * `enabled`, and on a server without our calls.
 */
export function useSmall(shown: readonly Insight[] | null, enabled: boolean) {
  const user = useUserData()
  const folds = enabled && user?.previous_visit !== undefined && (shown?.length ?? 0) >= FOLDED_FROM
  const settings = folds ? user.settings : null
  return useMemo(() => {
    const regular = settings ? (shown?.filter((one) => !isSmall(one, settings)) ?? []) : []
    const small = settings && regular.length > 0 && shown ? shown.length - regular.length : 0
    return { rows: small > 0 ? regular : shown, small, threshold: settings?.min_inputs ?? 0 }
  }, [shown, settings])
}
