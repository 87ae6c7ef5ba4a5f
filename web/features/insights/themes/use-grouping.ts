import { useCallback, useState } from 'react'
import type { InsightsAddress } from '../filters/use-address.ts'

const GROUP = 'group'
const BY_THEME = 'theme'
const STORED = 'insight-grouping'

/** Whether the table is grouped by theme: by the address, else as it was last chosen in this browser; at first it is not. */
export function useGrouping({ address, change }: Pick<InsightsAddress, 'address' | 'change'>) {
  const [stored, setStored] = useState(() => localStorage.getItem(STORED) === BY_THEME)
  const grouping = address.get(GROUP)
  const set = useCallback(
    (on: boolean) => {
      setStored(on)
      if (on) localStorage.setItem(STORED, BY_THEME)
      else localStorage.removeItem(STORED)
      change((old) => {
        const next = new URLSearchParams(old)
        if (on) next.set(GROUP, BY_THEME)
        else next.delete(GROUP)
        return next
      })
    },
    [change],
  )
  return { on: grouping === null ? stored : grouping === BY_THEME, set }
}
