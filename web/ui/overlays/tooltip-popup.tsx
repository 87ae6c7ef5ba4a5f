import { Tooltip as Radix } from 'radix-ui'
import { type Ref, type RefObject, useEffect, useImperativeHandle, useLayoutEffect } from 'react'
import { TOOLTIP_DELAY_MS } from '../constants.ts'
import type { TooltipPopupProps } from './tooltip.tsx'

/** The tooltip itself, in a part of its own: it is loaded with the first one that is shown. */
export function TooltipPopup({ text, target, side = 'top' }: TooltipPopupProps) {
  return (
    <Radix.Provider delayDuration={TOOLTIP_DELAY_MS}>
      <Radix.Root>
        <Radix.Trigger asChild>
          <TargetElement target={target} />
        </Radix.Trigger>
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

type Handler = (event: Event) => void
type TargetElementProps = { target: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement> } & Record<string, unknown>

/** The names of React's events that bubble, where the browser's do not. */
const NATIVE: Readonly<Record<string, string>> = { onFocus: 'focusin', onBlur: 'focusout' }

/** Stands for an element that is rendered elsewhere, and passes its attributes, listeners and ref on to that. */
function TargetElement({ target, ref, ...props }: TargetElementProps) {
  useImperativeHandle(ref, () => target.current as HTMLElement, [target])
  useLayoutEffect(() => {
    const element = target.current
    for (const [name, value] of Object.entries(props)) {
      if (typeof value === 'string') element?.setAttribute(name, value)
      else if (value === undefined) element?.removeAttribute(name)
    }
  })
  useEffect(() => {
    const element = target.current
    const handlers = Object.entries(props).filter((one): one is [string, Handler] => typeof one[1] === 'function')
    const named = handlers.map(([name, handler]) => [NATIVE[name] ?? name.slice(2).toLowerCase(), handler] as const)
    for (const [name, handler] of named) element?.addEventListener(name, handler)
    return () => {
      for (const [name, handler] of named) element?.removeEventListener(name, handler)
    }
  })
  // The pointer may have been on it before this was loaded.
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const element = target.current
      if (!element?.matches(':hover') || !matchMedia('(hover: hover)').matches) return
      element.dispatchEvent(new PointerEvent('pointermove', { pointerType: 'mouse' }))
    })
    return () => cancelAnimationFrame(frame)
  }, [target])
  return null
}
