import { useEffect, useState } from 'react'
import { TYPING_PAUSE_MS } from './constants.ts'

/** A debounced value: it changes once the input has not changed for `TYPING_PAUSE_MS`. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
