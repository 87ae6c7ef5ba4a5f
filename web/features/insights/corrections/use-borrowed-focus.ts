import { type RefObject, useEffect } from 'react'

/** As long as `wanted`, the focus begins at the first field of `box`; then it goes back to where it was before. */
export function useBorrowedFocus(box: RefObject<HTMLElement | null>, wanted = true): void {
  useEffect(() => {
    if (!wanted) return
    const before = document.activeElement
    box.current?.querySelector('input')?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [box, wanted])
}
