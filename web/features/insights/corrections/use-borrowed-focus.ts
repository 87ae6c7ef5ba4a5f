import { type RefObject, useEffect } from 'react'

/** While `wanted`, the focus is on the first field of `box`; then it returns to where it was. */
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
