import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

type TabsProps = {
  /** What the tabs are about. */
  label: string
  chosen: string
  onChoose: (value: string) => void
  tabs: readonly { value: string; label: ReactNode }[]
  /** A `TabPart` for each tab. */
  children: ReactNode
}

/**
 * Parts of a panel, one of which is shown: ← and → change it, Home and End go to the first and the last. The tabs stay in view while the panel scrolls:
 * they expect its padding.
 */
export function Tabs({ label, chosen, onChoose, tabs, children }: TabsProps) {
  return (
    <Radix.Root value={chosen} onValueChange={onChoose} className="flex flex-col gap-5">
      <Radix.List
        aria-label={label}
        className="sticky -top-4 z-10 -mx-5 flex gap-5 border-b border-line bg-surface px-5"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px flex h-9 items-center border-b-2 border-transparent font-medium text-muted hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {children}
    </Radix.Root>
  )
}

/** What one tab shows. */
export function TabPart({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Radix.Content value={value} className="flex flex-col gap-5 rounded-small">
      {children}
    </Radix.Content>
  )
}
