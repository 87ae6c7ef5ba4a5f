import type { Insight } from '@groundswell/contract/insights.ts'
import { useMemo } from 'react'
import { create } from 'zustand'
import { HIDDEN_AT_FIRST, type HideableColumnId } from './columns/index.ts'
import { isTagColumn, type TagColumnId, tagColumn, tagOfColumn } from './columns/tag.tsx'

const COLUMNS_KEY = 'insight-columns'
/** With many tags only the first have a column until someone selects more. */
const TAGS_AT_FIRST = 4

/** A column that can be hidden. */
export type HideableColumn = HideableColumnId | TagColumnId

type Choice = Readonly<Record<string, boolean>>

/** The manual choices, stored in this browser; other columns have their default. */
const useChoice = create<{ choice: Choice }>(() => ({ choice: stored() }))

function stored(): Choice {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(COLUMNS_KEY) ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Choice) : {}
  } catch {
    return {}
  }
}

/** The tags of these insights by name, in the order in which they first appear. */
export function tagNames(insights: readonly Insight[]): string[] {
  const names = new Set<string>()
  for (const insight of insights) for (const tag of insight.categories ?? []) names.add(tag.cat_name)
  return [...names]
}

/** Which columns are shown. `tags`: all of them; the shown ones are returned in their order. */
export function useColumns(tags: readonly string[]): { shown: (column: HideableColumn) => boolean; tags: string[] } {
  const choice = useChoice((store) => store.choice)
  return useMemo(() => {
    const first = new Set(tags.slice(0, TAGS_AT_FIRST))
    const isDefault = (column: HideableColumn) =>
      isTagColumn(column) ? first.has(tagOfColumn(column)) : !HIDDEN_AT_FIRST.has(column)
    const shown = (column: HideableColumn) => choice[column] ?? isDefault(column)
    return { shown, tags: tags.filter((tag) => shown(tagColumn(tag).id)) }
  }, [tags, choice])
}

/** Shows or hides columns, and remembers it in this browser. */
export function chooseColumns(columns: readonly HideableColumn[], show: boolean): void {
  const choice = { ...useChoice.getState().choice, ...Object.fromEntries(columns.map((column) => [column, show])) }
  localStorage.setItem(COLUMNS_KEY, JSON.stringify(choice))
  useChoice.setState({ choice })
}
