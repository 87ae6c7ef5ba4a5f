import { Tooltip as Radix } from 'radix-ui'
import { TOOLTIP_DELAY_MS } from './constants.ts'
import type { TooltipProps } from './tooltip.tsx'

export function TooltipPopup({ text, children, side = 'top' }: TooltipProps) {
  return (
    <Radix.Provider delayDuration={TOOLTIP_DELAY_MS}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal container={document.querySelector('main')}>
          <Radix.Content
            side={side}
            sideOffset={6}
            collisionPadding={8}
            className="pop z-50 max-w-64 rounded bg-text px-2 py-1 text-small text-canvas"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}
