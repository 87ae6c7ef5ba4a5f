import clsx from 'clsx'
import { X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { IconButton } from './button.tsx'
import { TOAST_DURATION_MS, TOAST_SWIPE_THRESHOLD_PX } from './constants.ts'
import { dismissToast, useToasts } from './toast-store.ts'

/** Where toasts appear. */
export function Toaster() {
  const toasts = useToasts((store) => store.toasts)
  return (
    <Radix.Provider duration={TOAST_DURATION_MS} swipeThreshold={TOAST_SWIPE_THRESHOLD_PX} swipeDirection="right">
      {toasts.map((one) => (
        <Radix.Root
          key={one.id}
          open={one.open}
          duration={one.durationMs}
          onOpenChange={(open) => open || dismissToast(one.id)}
          data-keeps-panel
          className={clsx(
            'toast flex w-full items-start gap-3 rounded border bg-raised py-3 pr-2 pl-4 shadow-raised',
            one.tone === 'destructive' ? 'border-bad' : 'border-line',
          )}
        >
          <div className="min-w-0 flex-1 py-1">
            <Radix.Title className={clsx('font-semibold', one.tone === 'destructive' && 'text-bad')}>
              {one.title}
            </Radix.Title>
            {one.description ? (
              <Radix.Description className="break-words text-text">{one.description}</Radix.Description>
            ) : null}
            {one.detail ? <p className="mt-1 line-clamp-4 text-small break-words text-muted">{one.detail}</p> : null}
          </div>
          {one.action ? (
            <Radix.Action
              altText={one.action.label}
              onClick={one.action.run}
              className="h-8 shrink-0 rounded px-2 font-medium text-accent hover:bg-hover"
            >
              {one.action.label}
            </Radix.Action>
          ) : null}
          <Radix.Close asChild>
            <IconButton label="Close message">
              <X size={14} aria-hidden />
            </IconButton>
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport className="fixed right-4 bottom-4 z-[60] flex w-[min(380px,calc(100vw-32px))] flex-col gap-2 outline-none" />
    </Radix.Provider>
  )
}
