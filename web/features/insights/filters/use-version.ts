import { useMemo } from 'react'

let versions = 0

/** A number that stands for this value in the key of a query, which would be written out otherwise: another value has another one. 0: undefined. */
export function useVersion(value: unknown): number {
  return useMemo(() => (value === undefined ? 0 : ++versions), [value])
}
