import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { PANEL_WIDTH_PX } from './constants.ts'

type PanelProps = {
  open: boolean
  onClose: () => void
  /** Handles Escape instead of closing, while it is set. */
  onEscape?: (() => void) | undefined
  title: string
  /** Replaces the title, such as while it is being edited. */
  titleField?: ReactNode
  /** Shown above the title; small. */
  eyebrow?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/**
 * A side panel at the right that leaves the page behind it usable. Escape (except in an open list, and in an element marked `data-holds-escape`), the close button and a click outside close it; a
 * click on an element marked `data-keeps-panel` (a row that opens another, a toast) does not.
 */
export function Panel({ open, onClose, onEscape, title, titleField, eyebrow, actions, children }: PanelProps) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => next || onClose()} modal={false}>
      <Radix.Portal>
        <Radix.Content
          aria-describedby={undefined}
          style={{ width: `min(${PANEL_WIDTH_PX}px, 100vw)` }}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onEscapeKeyDown={(event) => {
            const target = event.target
            const closesList =
              target instanceof Element && target.matches('[role=combobox][aria-expanded=true], [data-holds-escape]')
            // A dialog over it listens to keys only some tasks after it is shown.
            const isOfDialog = document.querySelector('[data-modal][data-state=open]') !== null
            if (!onEscape && !closesList && !isOfDialog) return
            event.preventDefault()
            if (!closesList && !isOfDialog) onEscape?.()
          }}
          onInteractOutside={(event) => {
            const target = event.target
            if (target instanceof Element && target.closest('[data-keeps-panel]')) event.preventDefault()
          }}
          onFocusOutside={(event) => event.preventDefault()}
          className="slide-right fixed inset-y-0 right-0 z-30 flex flex-col border-l border-line bg-surface shadow-raised"
        >
          <div className="border-b border-line py-3 pr-3 pl-5">
            <div className="flex min-h-8 items-center gap-2">
              <div className="min-w-0 flex-1 truncate text-small text-muted">{eyebrow}</div>
              {actions}
              <Radix.Close asChild>
                <IconButton label="Close panel">
                  <X size={16} aria-hidden />
                </IconButton>
              </Radix.Close>
            </div>
            <Radix.Title
              className={titleField ? 'sr-only' : 'max-h-36 overflow-y-auto pr-2 text-title font-semibold break-words'}
              dir="auto"
            >
              {title}
            </Radix.Title>
            {titleField}
          </div>
          <div className="min-h-0 flex-1 scroll-pt-12 overflow-y-auto px-5 py-4">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
