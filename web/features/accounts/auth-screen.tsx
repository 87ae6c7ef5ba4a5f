import type { ReactNode } from 'react'
import { useFirstLook } from '../../ui/first-look.ts'
import { Wordmark } from '../../ui/wordmark.tsx'

/** The layout of the screens before sign-in: a logo, a title, a card. */
export function AuthScreen({ title, children }: { title: string; children: ReactNode }) {
  useFirstLook(true)
  return (
    <main className="flex min-h-full flex-col items-center px-4 pt-[12vh] pb-12">
      <title>{`${title} · Groundswell`}</title>
      <Wordmark />
      <div className="mt-6 w-full max-w-sm rounded-large border border-line bg-surface p-6">
        <h1 className="mb-5 text-page font-semibold tracking-tight">{title}</h1>
        {children}
      </div>
    </main>
  )
}

/** Shown until it is known whether this browser is signed in. */
export function LoadingScreen() {
  return (
    <main className="flex h-full items-center justify-center text-muted" role="status">
      Loading…
    </main>
  )
}
