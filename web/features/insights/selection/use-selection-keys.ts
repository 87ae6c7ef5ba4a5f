import { useEffect } from 'react'
import { isMenuOrModalOpen } from '../../../ui/overlays/modal-open.ts'
import { clearSelection, select, useSelection } from './selection-store.ts'

const ELSEWHERE =
  'input:not([type=checkbox]), textarea, select, [contenteditable], [role=menu], [role=listbox], [role=dialog]'

/** X selects the row that has the focus, Shift with an arrow also the next one, and Escape ends the selection. */
export function useSelectionKeys(): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
      if (event.target instanceof Element && event.target.closest(ELSEWHERE)) return
      if (isMenuOrModalOpen()) return
      const { numbers } = useSelection.getState()
      if (event.key === 'Escape' && numbers.length > 0) {
        clearSelection()
        // It closes nothing else.
        event.stopPropagation()
        event.preventDefault()
        return
      }
      const row = document.activeElement?.closest('tr')
      const here = numberOf(row)
      if (!row || here === null) return
      if (event.key === 'x') {
        select([here], !numbers.includes(here))
        event.preventDefault()
      } else if (event.shiftKey && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
        const next = numberOf(event.key === 'ArrowDown' ? row.nextElementSibling : row.previousElementSibling)
        // The key still moves to that row.
        select(next === null ? [here] : [here, next], true)
      }
    }
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [])
}

function numberOf(row: Element | null | undefined): number | null {
  return Number(row?.querySelector<HTMLElement>('[data-issue]')?.dataset['issue']) || null
}
