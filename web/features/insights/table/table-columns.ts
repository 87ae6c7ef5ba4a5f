export const TAG_WIDTH_PX = 128
/** The width of what stands behind the tags: Updated and the row's menu. */
export const AFTER_TAGS_PX = 144
/** Below this the names have no room left, and the table scrolls sideways instead. */
export const LEAST_WIDTH_PX = 720
/** So many tag columns are always in the document; of more only those in view. */
export const FEW_TAGS = 10

/**
 * The columns in the document. `tags` by name; `before` and `behind` are how many tag columns there are on either side of
 * them that are not.
 */
export type ShownColumns = {
  status: boolean
  mentions: boolean
  trend: boolean
  tags: readonly string[]
  before: number
  behind: number
}
