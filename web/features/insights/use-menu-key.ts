import { type RefObject, useEffect } from 'react'
import { isMenuOrModalOpen } from '../../ui/overlays/modal-open.ts'

const TYPED_INTO = 'input:not([type=checkbox]), textarea, select, [contenteditable], [role=menu]'

/** Opens a menu by a key, wherever the focus is, except while typing and in a menu or a modal window. */
export function useMenuKey(key: string, trigger: RefObject<HTMLButtonElement | null>): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key !== key || event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return
      if (event.target instanceof Element && event.target.closest(TYPED_INTO)) return
      if (!trigger.current || isMenuOrModalOpen()) return
      event.preventDefault()
      trigger.current.focus()
      // The key that opens any menu.
      trigger.current.dispatchEvent(
        new window.KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }),
      )
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [key, trigger])
}
