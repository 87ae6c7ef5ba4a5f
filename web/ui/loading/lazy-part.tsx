import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { Boundary } from './boundary.tsx'
import { MissingPart, PartNotLoaded, tellNotOpened } from './missing-part.tsx'

type LazyOptions<P> = {
  /** Shown while the part is loading; nothing by default. */
  waiting?: (props: P) => ReactNode
  /** Shown when the part could not be loaded or failed; by default a message with a button to retry or to reload. */
  missing?: (props: P, error: unknown, retry: () => void) => ReactNode
  /** Called once in that case. */
  onMissing?: (props: P, error: unknown) => void
}

/**
 * A part of a screen in a separate file. When it cannot be loaded, or fails while rendering, only the part is missing: the
 * screen around it stays. The next attempt fetches it again.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { waiting, missing, onMissing }: LazyOptions<P> = {},
): ComponentType<P> {
  const make = () =>
    lazy(async () => ({
      default: await load().catch((error: unknown) => {
        throw new PartNotLoaded(error)
      }),
    }))
  let latest = make()
  return function LazyPart(props: P) {
    const [{ Part, attempt }, setCurrent] = useState(() => ({ Part: latest, attempt: 0 }))
    const retry = () => setCurrent({ Part: latest, attempt: attempt + 1 })
    return (
      <Boundary
        key={attempt}
        fallback={(error) => (missing ? missing(props, error, retry) : <MissingPart error={error} onRetry={retry} />)}
        onError={(error) => {
          // React caches the result of a load, including a failure.
          latest = make()
          onMissing?.(props, error)
        }}
      >
        <Suspense fallback={waiting?.(props)}>
          <Part {...props} />
        </Suspense>
      </Boundary>
    )
  }
}

/** Like `lazyPart`, for a dialog: one that cannot be shown is closed again, with a notification. */
export function lazyDialog<P extends { onClose: () => void }>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return lazyPart(load, {
    missing: () => null,
    onMissing: ({ onClose }, error) => {
      onClose()
      tellNotOpened(error)
    },
  })
}

/** Like `lazyPart`, for an optional part: without it nothing is shown in its place. */
export function lazyExtra<P extends object>(
  load: () => Promise<ComponentType<P>>,
  standIn: (props: P) => ReactNode = () => null,
): ComponentType<P> {
  return lazyPart(load, { waiting: standIn, missing: standIn })
}
