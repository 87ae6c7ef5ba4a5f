import clsx from 'clsx'
import { type ReactNode, useEffect } from 'react'
import { useFirstLook } from './first-look.ts'

type PageProps = {
  title: string
  lead?: ReactNode
  actions?: ReactNode
  /** `fill`: the content scrolls, not the page. */
  fill?: boolean
  width?: 'narrow' | 'wide'
  /** False while the screen's main content is loading. */
  usable?: boolean
  children: ReactNode
}

/** A screen: its title, its actions, and its content. */
export function Page({ title, lead, actions, fill = false, width = 'wide', usable = true, children }: PageProps) {
  useFirstLook(usable)
  useEffect(() => {
    document.title = `${title} · Groundswell`
  }, [title])
  const inner = width === 'narrow' ? 'w-full max-w-3xl' : 'w-full'
  return (
    <div className={clsx('flex flex-col', fill ? 'h-full min-h-0' : 'min-h-full')}>
      <header
        className={clsx(
          inner,
          'flex flex-wrap items-center gap-x-4 gap-y-2 px-4 pt-5 pb-3 md:px-6',
          fill && 'shrink-0',
        )}
      >
        <div className="mr-auto">
          <h1 className="text-page font-semibold tracking-tight">{title}</h1>
          {lead ? <p className="text-muted">{lead}</p> : null}
        </div>
        {actions}
      </header>
      <div className={clsx(inner, fill ? 'min-h-0 flex-1' : 'px-4 pb-12 md:px-6')}>{children}</div>
    </div>
  )
}

/** A titled part of a screen. */
export function Section({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <section className="mt-6 first:mt-2">
      <h2 className="text-lead font-semibold">{title}</h2>
      {lead ? <p className="text-muted">{lead}</p> : null}
      <div className="mt-3">{children}</div>
    </section>
  )
}
