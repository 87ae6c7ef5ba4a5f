import { lazy, type ReactElement, Suspense } from 'react'

export type TooltipProps = { text: string; children: ReactElement; side?: 'top' | 'right' | 'bottom' | 'left' }

const TooltipPopup = lazy(async () => ({ default: (await import('./tooltip-popup.tsx')).TooltipPopup }))

/** Says more about the one element inside it, on hover and on focus. What draws it comes after the element itself. */
export function Tooltip(props: TooltipProps) {
  return (
    <Suspense fallback={props.children}>
      <TooltipPopup {...props} />
    </Suspense>
  )
}
