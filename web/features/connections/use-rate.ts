import { useEffect, useRef, useState } from 'react'

const MEASURED_OVER_MS = 60_000
const MIN_MS = 3_000

/** How fast a count rises per minute, over the last minute; null until there is enough data. */
export function useRate(count: number): number | null {
  const seen = useRef<{ at: number; count: number }[]>([])
  const [rate, setRate] = useState<number | null>(null)
  useEffect(() => {
    const now = performance.now()
    const kept = [...seen.current.filter(({ at }) => now - at < MEASURED_OVER_MS), { at: now, count }]
    seen.current = kept
    const [first] = kept
    if (!first || now - first.at < MIN_MS || count <= first.count) return
    setRate(((count - first.count) / (now - first.at)) * 60_000)
  }, [count])
  return rate
}
