import type { ReactNode } from 'react'

/** One line of a settings card: its name, its state, and its action at the right. */
export function SettingRow({
  title,
  children,
  actions,
}: {
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b border-line px-5 py-3.5 last:border-0">
      <div className="min-w-48 flex-1">
        <div className="font-medium">{title}</div>
        {children ? <div className="break-words text-muted">{children}</div> : null}
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </div>
  )
}

/** The card with such lines. */
export function SettingCard({ children }: { children: ReactNode }) {
  return <div className="rounded-large border border-line bg-surface">{children}</div>
}

/** A card whose lines are loading. */
export function SettingCardSkeleton({ label, rows }: { label: string; rows: number }) {
  return (
    <SettingCard>
      <div role="status" aria-label={label}>
        {Array.from({ length: rows }, (_, row) => (
          <div key={row} className="flex flex-col gap-2 border-b border-line px-5 py-4 last:border-0">
            <div className="skeleton h-3 w-32" />
            <div className="skeleton h-3 w-56 max-w-full" />
          </div>
        ))}
      </div>
    </SettingCard>
  )
}
