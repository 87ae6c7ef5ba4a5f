import { useEffect } from 'react'
import { isMenuOrModalOpen, takesKeys } from '../../../ui/overlays/modal-open.ts'

type RowKeys = { onMove: (step: 1 | -1) => void; onSearch: () => void; onEscape: () => void }

/**
 * ↑ and ↓, or k and j, move over the rows, `/` goes to the search box and Escape ends what the caller says. Inert while typing, in a menu and in a
 * modal window. (Enter is the row's own button; while the panel is open Escape closes it.)
 */
export function useRowKeys({ onMove, onSearch, onEscape }: RowKeys): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
      if (takesKeys(event) || isMenuOrModalOpen()) return
      if (event.key === 'ArrowDown' || event.key === 'j') onMove(1)
      else if (event.key === 'ArrowUp' || event.key === 'k') onMove(-1)
      else if (event.key === '/') onSearch()
      else if (event.key === 'Escape') onEscape()
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [onMove, onSearch, onEscape])
}
