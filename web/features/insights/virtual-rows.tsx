import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect } from 'react'
import { ROW_HEIGHT_PX } from '../../ui/constants.ts'

type VirtualRowsProps = {
  scroller: RefObject<HTMLElement | null>
  count: number
  active: number
  row: (index: number) => ReactNode
}

/** The rows of a long table that are in view, with room for the others above and below. */
export function VirtualRows({ scroller, count, active, row }: VirtualRowsProps) {
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: 8,
  })
  useEffect(() => {
    if (active >= 0) rows.scrollToIndex(active)
  }, [active, rows])
  const seen = rows.getVirtualItems()
  const above = seen[0]?.index ?? 0
  const below = count - 1 - (seen.at(-1)?.index ?? -1)
  return (
    <>
      {above > 0 ? <Gap rows={above} /> : null}
      {seen.map(({ index }) => row(index))}
      {below > 0 ? <Gap rows={below} /> : null}
    </>
  )
}

/** The room of rows that are not in the document. */
function Gap({ rows }: { rows: number }) {
  return (
    <tr aria-hidden>
      <td style={{ height: rows * ROW_HEIGHT_PX }} />
    </tr>
  )
}
