import { useCallback } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { TAB } from '../open-address.ts'

const ACTIVITY = 'activity'

/** The tab of the open insight, in the address: `?issue=42&tab=activity`. Another insight is opened with the first one. */
export function useTab() {
  const [address, setAddress] = useSearchParams()
  const { state } = useLocation()
  const choose = useCallback(
    (tab: string) => {
      const next = new URLSearchParams(window.location.search)
      if (tab === ACTIVITY) next.set(TAB, tab)
      else next.delete(TAB)
      setAddress(next, { replace: true, state })
    },
    [setAddress, state],
  )
  return { tab: address.get(TAB) === ACTIVITY ? ACTIVITY : 'insight', choose }
}
