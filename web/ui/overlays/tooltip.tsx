import { cloneElement, type ReactElement, type Ref, type RefObject, useRef } from 'react'
import { useAfterFirstLook } from '../first-look.ts'
import { lazyExtra } from '../loading/lazy-part.tsx'

type TooltipOptions = { text: string; side?: 'top' | 'right' | 'bottom' | 'left' }

/** The text of a tooltip, and the element that it is about. */
export type TooltipPopupProps = TooltipOptions & { target: RefObject<HTMLElement | null> }

const TooltipPopup = lazyExtra<TooltipPopupProps>(async () => (await import('./tooltip-popup.tsx')).TooltipPopup)

/**
 * Describes the one element inside it, on hover and on focus. Its code is loaded after the first view; the element stays the same one, so that neither
 * its focus nor a click on it is lost then.
 */
export function Tooltip({
  children,
  ...options
}: TooltipOptions & { children: ReactElement<{ ref?: Ref<HTMLElement> }> }) {
  const target = useRef<HTMLElement>(null)
  return (
    <>
      {cloneElement(children, { ref: target })}
      {useAfterFirstLook() ? <TooltipPopup {...options} target={target} /> : null}
    </>
  )
}
