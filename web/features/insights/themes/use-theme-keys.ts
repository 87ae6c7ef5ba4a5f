import { useEffect, useRef } from 'react'
import { isMenuOrModalOpen, takesKeys } from '../../../ui/overlays/modal-open.ts'
import type { Line } from './theme-lines.ts'

type ThemeKeys = {
  lines: readonly Line[]
  active: number
  onMove: (to: number) => void
  onToggle: (line: Extract<Line, { kind: 'section' }>) => void
}

/**
 * ↑ and ↓ move over the lines; → opens a theme and ← closes it, from one of its insights too. These keys are taken before those of the page,
 * whose rows are not the lines.
 */
export function useThemeKeys(keys: ThemeKeys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
      if (takesKeys(event) || isMenuOrModalOpen()) return
      const { lines, active, onMove, onToggle } = latest.current
      const focused = document.activeElement?.getAttribute('data-row')
      const at = focused === null || focused === undefined ? active : Number(focused)
      const line = lines[at]
      if (event.key === 'ArrowDown') onMove(Math.min(lines.length - 1, at + 1))
      else if (event.key === 'ArrowUp') onMove(Math.max(0, at - 1))
      else if (event.key === 'ArrowRight' && line?.kind === 'section' && !line.isOpen) onToggle(line)
      else if (event.key === 'ArrowLeft' && line?.kind === 'section' && line.isOpen) onToggle(line)
      else if (event.key === 'ArrowLeft' && line?.kind === 'insight') onMove(line.heading)
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [])
}
