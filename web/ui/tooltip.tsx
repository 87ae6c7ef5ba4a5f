import type { ReactElement } from 'react'
import { useAfterFirstLook } from './first-look.ts'
import { lazyExtra } from './lazy-part.tsx'

export type TooltipProps = { text: string; children: ReactElement; side?: 'top' | 'right' | 'bottom' | 'left' }

const TooltipPopup = lazyExtra<TooltipProps>(
  async () => (await import('./tooltip-popup.tsx')).TooltipPopup,
  ({ children }) => children,
)

/** Describes the one element inside it, on hover and on focus. Its code is loaded after the first view. */
export function Tooltip(props: TooltipProps) {
  return useAfterFirstLook() ? <TooltipPopup {...props} /> : props.children
}
