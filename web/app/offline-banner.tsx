import { useSyncExternalStore } from 'react'

function watch(changed: () => void): () => void {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}

/** Shown while the browser is offline. */
export function OfflineBanner() {
  const online = useSyncExternalStore(watch, () => navigator.onLine)
  if (online) return null
  return (
    <p role="status" className="sticky top-0 z-20 bg-warn-soft px-6 py-1.5 text-small font-medium text-warn">
      You are offline. This page may be out of date and will refresh when you reconnect.
    </p>
  )
}
