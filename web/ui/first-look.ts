import { useEffect, useSyncExternalStore } from 'react'

const first = Promise.withResolvers<void>()
let over = false
const waiting = new Set<() => void>()

/** Resolves once the first screen of this page load is usable. */
export const afterFirstLook: Promise<void> = first.promise

/** Reports that the first screen is usable. */
export function endFirstLook(): void {
  if (over) return
  over = true
  first.resolve()
  for (const changed of waiting) changed()
}

/** Ends the first look once `usable`, after the next paint. */
export function useFirstLook(usable: boolean): void {
  useEffect(() => {
    if (usable && !over) requestAnimationFrame(() => setTimeout(endFirstLook))
  }, [usable])
}

/** False during the first look: code that the screen can be used without is fetched once this is true. */
export function useAfterFirstLook(): boolean {
  return useSyncExternalStore(watch, () => over)
}

function watch(changed: () => void): () => void {
  waiting.add(changed)
  return () => waiting.delete(changed)
}
