import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { Button, IconButton } from '../button.tsx'

type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: string
  /** Stays in view below what scrolls. */
  footer?: ReactNode
  /** For contents in two columns. */
  wide?: boolean
  children: ReactNode
}

/**
 * A modal dialog in the centre. Escape, the overlay and the close button close it; the focus returns to where it was. The first
 * focus is on the element marked `data-begins`, else on the close button.
 */
export function Dialog({ open, onOpenChange, title, description, footer, wide, children }: DialogProps) {
  const before = useRef<Element | null>(null)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fade fixed inset-0 z-40 bg-veil" />
        <Radix.Content
          data-modal
          {...(description ? {} : { 'aria-describedby': undefined })}
          onOpenAutoFocus={(event) => {
            before.current = document.activeElement
            const first = event.target instanceof Element ? event.target.querySelector('[data-begins]') : null
            if (!(first instanceof HTMLElement)) return
            event.preventDefault()
            first.focus()
          }}
          onInteractOutside={(event) => {
            if (event.target instanceof Element && event.target.closest('[data-toast]')) event.preventDefault()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (before.current instanceof HTMLElement) before.current.focus()
          }}
          {...(wide ? { style: { width: 'min(760px, calc(100vw - 32px))' } } : {})}
          className="pop fixed top-[12vh] left-1/2 z-50 flex max-h-[80vh] w-[min(440px,calc(100vw-32px))] -translate-x-1/2 flex-col rounded-large border border-line bg-raised shadow-raised"
        >
          <div className="flex items-start justify-between gap-4 px-5 pt-4">
            <div>
              <Radix.Title className="text-title font-semibold">{title}</Radix.Title>
              {description ? <Radix.Description className="mt-1 text-muted">{description}</Radix.Description> : null}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close" className="-mt-1 -mr-2">
                <X size={16} aria-hidden />
              </IconButton>
            </Radix.Close>
          </div>
          <div className="min-h-0 overflow-y-auto px-5 pt-4 pb-5">{children}</div>
          {footer ? <div className="border-t border-line px-5 py-3">{footer}</div> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

type ConfirmProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  question: string
  action: string
  /** The button that changes nothing. */
  refuse?: string
  busy?: boolean
  onConfirm: () => void
}

/** Asks for confirmation of something that cannot be undone. */
export function Confirm(props: ConfirmProps) {
  const { open, onOpenChange, title, question, action, refuse = 'Keep', busy = false, onConfirm } = props
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} description={question}>
      <div className="flex justify-end gap-2">
        <Button onClick={() => onOpenChange(false)}>{refuse}</Button>
        <Button look="danger" busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
