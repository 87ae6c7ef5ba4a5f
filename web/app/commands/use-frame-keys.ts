import { useEffect } from 'react'
import { showFrameWindow, useFrameWindow } from '../../ui/frame-window.ts'
import { isMenuOrModalOpen, takesKeys } from '../../ui/overlays/modal-open.ts'

/**
 * Keys on every screen: Ctrl+K or ⌘K opens the command palette, also from a field, and closes it; `?` shows the list of keys, except while typing.
 * Neither opens over a menu or another modal window.
 */
export function useFrameKeys(): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.altKey) return
      const { open } = useFrameWindow.getState()
      if ((event.metaKey || event.ctrlKey) && !event.shiftKey && event.key.toLowerCase() === 'k') {
        if (open === 'commands') showFrameWindow(null)
        else if (!isMenuOrModalOpen()) showFrameWindow('commands')
      } else if (event.key === '?' && !event.metaKey && !event.ctrlKey && !takesKeys(event) && !isMenuOrModalOpen()) {
        showFrameWindow('keys')
      } else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
