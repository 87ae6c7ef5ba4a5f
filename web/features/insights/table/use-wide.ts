import { useSyncExternalStore } from 'react'

const wide = matchMedia('(min-width: 768px)')

function watch(changed: () => void): () => void {
  wide.addEventListener('change', changed)
  return () => wide.removeEventListener('change', changed)
}

/** Whether the window is wide enough for the optional columns. */
export function useWide(): boolean {
  return useSyncExternalStore(watch, () => wide.matches)
}
