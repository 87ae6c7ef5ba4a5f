import { TAG_COLUMN } from '@groundswell/contract/insights/insight-order.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { TagValue } from '../../tag-value.tsx'
import type { TableColumn } from './column.ts'

/** The id of the column of a tag: a prefix and the name of the tag. */
export type TagColumnId = `${typeof TAG_COLUMN}${string}`

/** The column of a tag by its name. */
export function tagColumn(name: string): TableColumn & { id: TagColumnId } {
  const tagOf = (insight: Insight) => insight.categories?.find((one) => one.cat_name === name)
  return {
    id: `${TAG_COLUMN}${name}`,
    label: name,
    hideable: true,
    header: 'px-2 w-32',
    className: 'px-2',
    cell: ({ insight }) => <TagValue tag={tagOf(insight)} />,
  }
}

/** Whether a column shows a tag. */
export function isTagColumn(id: string): id is TagColumnId {
  return id.startsWith(TAG_COLUMN)
}

/** The name of the tag that a column shows. */
export function tagOfColumn(id: TagColumnId): string {
  return id.slice(TAG_COLUMN.length)
}
