import { useEffect } from 'react'

type RowKeys = { onMove: (step: 1 | -1) => void; onSearch: () => void; onHelp: () => void }

const ELSEWHERE = 'input, textarea, select, [contenteditable], [role=menu], [role=listbox], [aria-modal], [data-typing]'

/**
 * ↑ and ↓ move over the rows, `/` goes to the search box and `?` shows the keys. Inert while typing, in a menu and in a
 * modal window. (Enter is the row's own button; Escape is the panel's.)
 */
export function useRowKeys({ onMove, onSearch, onHelp }: RowKeys): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
      if (event.target instanceof Element && event.target.closest(ELSEWHERE)) return
      if (document.querySelector('[aria-modal=true], [role=menu], [data-modal]')) return
      if (event.key === 'ArrowDown') onMove(1)
      else if (event.key === 'ArrowUp') onMove(-1)
      else if (event.key === '/') onSearch()
      else if (event.key === '?') onHelp()
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [onMove, onSearch, onHelp])
}
