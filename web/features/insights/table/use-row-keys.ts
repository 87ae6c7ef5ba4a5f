import { useEffect } from 'react'
import { isMenuOrModalOpen } from '../../../ui/modal-open.ts'

type RowKeys = { onMove: (step: 1 | -1) => void; onSearch: () => void; onHelp: () => void; onEscape: () => void }

const ELSEWHERE = 'input, textarea, select, [contenteditable], [role=menu], [role=listbox], [aria-modal], [data-typing]'

/**
 * ↑ and ↓, or k and j, move over the rows, `/` goes to the search box, `?` shows the keys and Escape ends what the caller says. Inert while typing, in a menu and in a
 * modal window. (Enter is the row's own button; while the panel is open Escape closes it.)
 */
export function useRowKeys({ onMove, onSearch, onHelp, onEscape }: RowKeys): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
      if (event.target instanceof Element && event.target.closest(ELSEWHERE)) return
      if (isMenuOrModalOpen()) return
      if (event.key === 'ArrowDown' || event.key === 'j') onMove(1)
      else if (event.key === 'ArrowUp' || event.key === 'k') onMove(-1)
      else if (event.key === '/') onSearch()
      else if (event.key === '?') onHelp()
      else if (event.key === 'Escape') onEscape()
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [onMove, onSearch, onHelp, onEscape])
}
