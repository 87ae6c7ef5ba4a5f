import { type RefObject, useEffect } from 'react'
import { ROW_HEIGHT_PX, VIRTUAL_ROWS_FROM } from '../../../ui/constants.ts'
import type { Span } from '../../../ui/table/rows-in-view.ts'
import { useRowsInView } from '../../../ui/table/use-rows-in-view.ts'

/** The header stays in view over the rows. */
const HEADER_HEIGHT_PX = 36

/**
 * The rows of a table that are in the document: of a long one only those in view of `scroller`. Scrolls the keyboard's
 * active row into view; `active` is its index, -1 for none.
 */
export function useTableRows(scroller: RefObject<HTMLElement | null>, count: number, active: number): Span {
  useEffect(() => {
    const box = scroller.current
    if (!box || active < 0) return
    const top = active * ROW_HEIGHT_PX
    const lowest = top + ROW_HEIGHT_PX + HEADER_HEIGHT_PX - box.clientHeight
    box.scrollTo({ top: Math.min(top, Math.max(lowest, box.scrollTop)) })
  }, [scroller, active])
  const { first, last } = useRowsInView(scroller, ROW_HEIGHT_PX, count)
  return count > VIRTUAL_ROWS_FROM ? { first, last: Math.min(last, count - 1) } : { first: 0, last: count - 1 }
}

/** Space for rows that are not in the document. */
export function RowGap({ rows }: { rows: number }) {
  return rows > 0 ? (
    <tr aria-hidden>
      <td style={{ height: rows * ROW_HEIGHT_PX }} />
    </tr>
  ) : null
}
