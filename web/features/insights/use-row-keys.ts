import { useEffect } from 'react'

type RowKeys = { onMove: (step: 1 | -1) => void; onSearch: () => void }

/**
 * ↑ and ↓ move over the rows and `/` goes to the search box. Inert while typing, in a menu and in a modal window. (Enter is
 * the row's own button; Escape is the panel's.)
 */
export function useRowKeys({ onMove, onSearch }: RowKeys): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
      if (
        event.target instanceof Element &&
        event.target.closest('input, textarea, select, [role=menu], [aria-modal]')
      ) {
        return
      }
      if (event.key === 'ArrowDown') onMove(1)
      else if (event.key === 'ArrowUp') onMove(-1)
      else if (event.key === '/') onSearch()
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [onMove, onSearch])
}
