import type { ReactElement } from 'react'
import { useAfterFirstLook } from './first-look.ts'
import { lazyExtra } from './lazy-part.tsx'

export type TooltipProps = { text: string; children: ReactElement; side?: 'top' | 'right' | 'bottom' | 'left' }

const TooltipPopup = lazyExtra<TooltipProps>(
  async () => (await import('./tooltip-popup.tsx')).TooltipPopup,
  ({ children }) => children,
)

/** Says more about the one element inside it, on hover and on focus. What draws it comes after the first look. */
export function Tooltip(props: TooltipProps) {
  return useAfterFirstLook() ? <TooltipPopup {...props} /> : props.children
}
