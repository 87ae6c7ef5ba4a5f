import { type RefObject, useEffect, useState } from 'react'
import { rowsInView, type Span } from './rows-in-view.ts'

/** Rows rendered before the container is measured. */
const AT_FIRST = 30

/** The rows in view of `scroller`, kept up to date as it is scrolled and resized. Changes only as rows come and go. */
export function useRowsInView(scroller: RefObject<HTMLElement | null>, rowHeight: number, count: number): Span {
  const [span, setSpan] = useState<Span>({ first: 0, last: AT_FIRST })
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    const measure = () => {
      const next = rowsInView(box.scrollTop, box.clientHeight, rowHeight, count)
      setSpan((old) => (old.first === next.first && old.last === next.last ? old : next))
    }
    measure()
    const resized = new ResizeObserver(measure)
    resized.observe(box)
    box.addEventListener('scroll', measure, { passive: true })
    return () => {
      resized.disconnect()
      box.removeEventListener('scroll', measure)
    }
  }, [scroller, rowHeight, count])
  return span
}
