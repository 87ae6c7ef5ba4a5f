import type { ReactNode } from 'react'

type EmptyStateProps = { icon?: ReactNode; title: string; children?: ReactNode; actions?: ReactNode }

/** The empty state of a screen: what would be here, and how to get there. */
export function EmptyState({ icon, title, children, actions }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center px-4 py-16 text-center">
      {icon ? <div className="mb-3 text-muted">{icon}</div> : null}
      <h2 className="text-lead font-semibold">{title}</h2>
      {children ? <div className="mt-1 max-w-full text-muted">{children}</div> : null}
      {actions ? <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </div>
  )
}
