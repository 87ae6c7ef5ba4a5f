import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { IconButton } from '../button.tsx'

type PagerProps = {
  /** Counted from 0. */
  index: number
  count: number
  /** The name of a page, used in the labels of the arrows. */
  what: string
  disabled?: boolean
  onChange: (index: number) => void
  children: ReactNode
}

/** Previous and next with a caption between. The ← and → keys do the same, except where they mean something else. */
export function Pager({ index, count, what, disabled = false, onChange, children }: PagerProps) {
  const canGoBack = !disabled && index > 0
  const canGoOn = !disabled && index < count - 1
  // The target of the last step: the page may follow later, and a second step continues from there.
  const at = useRef(index)
  useLayoutEffect(() => {
    at.current = index
  })
  const step = useCallback(
    (by: 1 | -1) => {
      const next = at.current + by
      if (next < 0 || next >= count) return
      at.current = next
      onChange(next)
    },
    [count, onChange],
  )
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || hasArrowKeys(event.target)) return
      if (event.key === 'ArrowLeft' && canGoBack) step(-1)
      if (event.key === 'ArrowRight' && canGoOn) step(1)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [canGoBack, canGoOn, step])
  return (
    <div className="flex items-center gap-1">
      <IconButton label={`Previous ${what}`} disabled={!canGoBack} onClick={() => step(-1)}>
        <ChevronLeft size={16} aria-hidden />
      </IconButton>
      <p aria-live="polite" className="min-w-24 text-center whitespace-nowrap text-muted tabular-nums">
        {children}
      </p>
      <IconButton label={`Next ${what}`} disabled={!canGoOn} onClick={() => step(1)}>
        <ChevronRight size={16} aria-hidden />
      </IconButton>
    </div>
  )
}

function hasArrowKeys(target: EventTarget | null): boolean {
  if (document.querySelector('[role=dialog], [role=menu]')) return true
  return (
    target instanceof Element && target.closest('input, select, textarea, [contenteditable], [role=region]') !== null
  )
}
