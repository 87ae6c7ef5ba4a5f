import type { TableColumn } from './columns/column.ts'
import type { SortColumn } from './sort.ts'

/** The width of the column of each tag. */
export const TAG_WIDTH_PX = 128
/** The width of the columns after the tags: Updated and the row's menu. */
export const AFTER_TAGS_PX = 144
/** Below this width the names have no space, and the table scrolls horizontally instead. */
export const MIN_WIDTH_PX = 720
/** Up to this many tag columns are always in the document; of more only those in view. */
export const FEW_TAGS = 10

/** A column as this table has it: a fixed one or that of a tag. */
export type ShownColumn = TableColumn & { id: SortColumn }

/**
 * The columns in the document, in three parts: those before the tags, the tags in view and those after them. `tagsBefore`
 * and `tagsAfter` are how many tag columns there are on either side of the ones in view.
 */
export type ShownColumns = {
  leading: readonly ShownColumn[]
  tags: readonly ShownColumn[]
  trailing: readonly ShownColumn[]
  tagsBefore: number
  tagsAfter: number
  /** The ids of all that are in the document. */
  ids: ReadonlySet<string>
}
