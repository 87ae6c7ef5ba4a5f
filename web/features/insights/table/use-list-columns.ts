import type { Insight } from '@groundswell/contract/insights.ts'
import { useMemo } from 'react'
import { tagNames, useColumns } from './column-choice.ts'
import { useWide } from './use-wide.ts'

const NO_TAGS: readonly string[] = []

/** The tags of a list, which columns are chosen, and the tags that have one: none where the screen is narrow. */
export function useListColumns(insights: readonly Insight[]) {
  const allTags = useMemo(() => tagNames(insights), [insights])
  const { shown: isShown, tags } = useColumns(allTags)
  const wide = useWide()
  return { allTags, isShown, tags: wide ? tags : NO_TAGS }
}
