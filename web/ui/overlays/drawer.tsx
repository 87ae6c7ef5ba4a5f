import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

type DrawerProps = { onClose: () => void; title: string; children: ReactNode }

/** A modal drawer from the left, for small screens. */
export function Drawer({ onClose, title, children }: DrawerProps) {
  return (
    <Radix.Root open onOpenChange={(open) => open || onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fade fixed inset-0 z-40 bg-veil" />
        <Radix.Content
          aria-describedby={undefined}
          data-holds-menus
          className="slide-left fixed inset-y-0 left-0 z-50 flex w-[min(280px,85vw)] flex-col border-r border-line bg-canvas shadow-raised"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
