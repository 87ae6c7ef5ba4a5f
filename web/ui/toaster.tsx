import clsx from 'clsx'
import { X } from 'lucide-react'
import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { TOAST_SWIPE_THRESHOLD_PX } from './constants.ts'
import { dismissToast, type Toast, useToasts } from './toast-store.ts'

/** A press that moves less than this is a click. */
const SWIPE_START_PX = 3

/**
 * Where toasts appear. It is small and in the first bundle, because it must report failures even when nothing more can be
 * fetched. F8 focuses it; while it is hovered or focused, or the window is in the background, no toast times out.
 */
export function Toaster() {
  const toasts = useToasts((store) => store.toasts).filter(({ open }) => open)
  const list = useRef<HTMLOListElement>(null)
  const [held, setHeld] = useState(false)
  const [away, setAway] = useState(false)
  useEffect(() => {
    const leave = () => setAway(true)
    const comeBack = () => setAway(false)
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'F8') list.current?.focus()
    }
    window.addEventListener('blur', leave)
    window.addEventListener('focus', comeBack)
    window.addEventListener('keydown', onKey)
    return () => {
      window.removeEventListener('blur', leave)
      window.removeEventListener('focus', comeBack)
      window.removeEventListener('keydown', onKey)
    }
  }, [])
  // A toast that closes under the pointer sends no pointerleave.
  if (held && toasts.length === 0) setHeld(false)
  return (
    <section
      aria-label="Notifications (F8)"
      onPointerMove={() => setHeld(true)}
      onPointerLeave={(event) => setHeld(event.currentTarget.contains(document.activeElement))}
      onFocus={() => setHeld(true)}
      onBlur={(event) => setHeld(event.currentTarget.contains(event.relatedTarget))}
    >
      <ol
        ref={list}
        tabIndex={-1}
        aria-live="assertive"
        aria-relevant="additions"
        className="fixed right-4 bottom-4 z-[60] flex w-[min(380px,calc(100vw-32px))] flex-col gap-2 outline-none"
      >
        {toasts.map((one) => (
          <ToastCard
            key={one.id}
            toast={one}
            paused={held || away}
            onClose={() => {
              // The focus must not be lost with the focused button.
              if (list.current?.contains(document.activeElement)) list.current.focus()
              dismissToast(one.id)
            }}
          />
        ))}
      </ol>
    </section>
  )
}

type ToastCardProps = { toast: Toast; paused: boolean; onClose: () => void }

function ToastCard({
  toast: { title, description, detail, tone, durationMs, action },
  paused,
  onClose,
}: ToastCardProps) {
  const left = useRef(durationMs)
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (paused) return
    const startedAt = Date.now()
    const timer = setTimeout(() => close(), left.current)
    return () => {
      clearTimeout(timer)
      left.current -= Date.now() - startedAt
    }
  }, [paused])
  const swipe = useSwipe(onClose)
  return (
    // Escape and the swipe do the same as its button.
    <li
      {...swipe}
      data-keeps-panel
      data-toast
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
      className={clsx(
        'toast pointer-events-auto flex w-full touch-pan-y items-start gap-3 rounded border bg-raised py-3 pr-2 pl-4 shadow-raised select-none',
        tone === 'destructive' ? 'border-bad' : 'border-line',
      )}
    >
      <div className="min-w-0 flex-1 py-1">
        <div className={clsx('font-semibold break-words', tone === 'destructive' && 'text-bad')}>{title}</div>
        {description ? <div className="break-words text-text">{description}</div> : null}
        {detail ? <p className="mt-1 line-clamp-4 text-small break-words text-muted">{detail}</p> : null}
      </div>
      {action ? (
        <button
          type="button"
          onClick={() => {
            action.run()
            onClose()
          }}
          className="h-8 shrink-0 rounded px-2 font-medium text-accent hover:bg-hover"
        >
          {action.label}
        </button>
      ) : null}
      <IconButton label="Close message" onClick={onClose}>
        <X size={14} aria-hidden />
      </IconButton>
    </li>
  )
}

/** Swiping right beyond the threshold closes; less is reverted. */
function useSwipe(onClose: () => void) {
  const start = useRef<number | null>(null)
  /** As of the last event, which may not be rendered yet. */
  const moves = useRef(false)
  const [state, setState] = useState<{ swipe?: 'move' | 'cancel' | 'end'; by: number }>({ by: 0 })
  const end = (event: PointerEvent<HTMLElement>) => {
    if (start.current === null) return
    const by = event.clientX - start.current
    start.current = null
    if (!moves.current) return
    moves.current = false
    if (event.type === 'pointerup' && by >= TOAST_SWIPE_THRESHOLD_PX) {
      setState({ swipe: 'end', by })
      onClose()
    } else setState({ swipe: 'cancel', by: 0 })
  }
  return {
    'data-swipe': state.swipe,
    style: state.swipe === 'move' ? { transform: `translateX(${state.by}px)` } : undefined,
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button === 0) start.current = event.clientX
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (start.current === null) return
      const by = Math.max(0, event.clientX - start.current)
      if (!moves.current && by < SWIPE_START_PX) return
      moves.current = true
      event.currentTarget.setPointerCapture(event.pointerId)
      setState({ swipe: 'move', by })
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}
