import { type RefObject, useEffect, useState } from 'react'

/** How many columns are rendered beyond either edge of the view. */
const BEYOND = 2

/** The indexes of the rendered columns; `last` is -1 when there are none. */
export type Columns = { first: number; last: number }

/**
 * Which of `count` equally wide columns are in view of `scroller`. They end `after` px before the right end of its table.
 * With `few` columns all are.
 */
export function useColumnsInView(
  scroller: RefObject<HTMLElement | null>,
  { count, few, width, after }: { count: number; few: number; width: number; after: number },
): Columns {
  const [span, setSpan] = useState<Columns>({ first: 0, last: Math.min(count, few) - 1 })
  useEffect(() => {
    const box = scroller.current
    if (!box || count <= few) return
    const measure = () => {
      const start = box.scrollWidth - after - count * width
      const first = Math.max(0, Math.floor((box.scrollLeft - start) / width) - BEYOND)
      const last = Math.min(count - 1, Math.ceil((box.scrollLeft + box.clientWidth - start) / width) + BEYOND)
      setSpan((old) => (old.first === first && old.last === last ? old : { first, last }))
    }
    measure()
    const resized = new ResizeObserver(measure)
    resized.observe(box)
    box.addEventListener('scroll', measure, { passive: true })
    return () => {
      resized.disconnect()
      box.removeEventListener('scroll', measure)
    }
  }, [scroller, count, few, width, after])
  return count <= few
    ? { first: 0, last: count - 1 }
    : { first: Math.min(span.first, count), last: Math.min(span.last, count - 1) }
}
