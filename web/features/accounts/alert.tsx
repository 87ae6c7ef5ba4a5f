import type { ReactNode } from 'react'

/** An error message in a box that assistive technologies announce immediately. */
export function Alert({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div role="alert" className="rounded bg-bad-soft px-3 py-2 text-bad">
      <p className="font-medium">{title}</p>
      {children ? <p className="text-small">{children}</p> : null}
    </div>
  )
}
