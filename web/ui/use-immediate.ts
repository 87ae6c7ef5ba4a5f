import { useState } from 'react'

/** A value that changes immediately when a person sets it, where `value`, such as a part of the address, follows a moment later. */
export function useImmediate<T>(value: T, change: (next: T) => void): [T, (next: T) => void] {
  const [set, keep] = useState<{ to: T } | null>(null)
  if (set && set.to === value) keep(null)
  return [
    set ? set.to : value,
    (next) => {
      keep({ to: next })
      change(next)
    },
  ]
}
