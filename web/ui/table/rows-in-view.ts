/** Rows rendered beyond either edge of the view, so that scrolling shows no gaps. */
const BEYOND = 8

/** Indexes in a list, both included. */
export type Span = { first: number; last: number }

/** Which of `count` rows of one height are rendered at this scroll position. */
export function rowsInView(scrollTop: number, height: number, rowHeight: number, count: number): Span {
  const topRow = Math.min(Math.floor(scrollTop / rowHeight), count - 1)
  const bottomRow = Math.ceil((scrollTop + height) / rowHeight)
  return { first: Math.max(0, topRow - BEYOND), last: Math.min(count - 1, bottomRow + BEYOND) }
}
