import { useEffect, useRef } from 'react'

/** Calls `onSeen` when the element with this ref comes into view, once for each `place`; not while that is null. */
export function useInView(onSeen: () => void, place: number | null) {
  const element = useRef<HTMLButtonElement>(null)
  const latest = useRef(onSeen)
  useEffect(() => {
    latest.current = onSeen
  })
  useEffect(() => {
    if (place === null || !element.current) return
    const watcher = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return
      watcher.disconnect()
      latest.current()
    })
    watcher.observe(element.current)
    return () => watcher.disconnect()
  }, [place])
  return element
}
