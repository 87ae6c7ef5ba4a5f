import type { Insight } from '@groundswell/contract/insights.ts'
import { TagValue } from '../../tag-value.tsx'
import type { TableColumn } from './column.ts'

const PREFIX = 'tag:'

export type TagColumnId = `${typeof PREFIX}${string}`

/** The column of a tag by its name. */
export function tagColumn(name: string): TableColumn & { id: TagColumnId } {
  const tagOf = (insight: Insight) => insight.categories?.find((one) => one.cat_name === name)
  return {
    id: `${PREFIX}${name}`,
    label: name,
    hideable: true,
    sort: (insight) => tagOf(insight)?.option_value ?? null,
    header: 'px-2 w-32',
    className: 'px-2',
    cell: ({ insight }) => <TagValue tag={tagOf(insight)} />,
  }
}

export function isTagColumn(id: string): id is TagColumnId {
  return id.startsWith(PREFIX)
}

export function tagOfColumn(id: TagColumnId): string {
  return id.slice(PREFIX.length)
}
