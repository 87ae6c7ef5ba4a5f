import { useCallback, useDeferredValue, useMemo } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { openIn, withOpen } from '../open-address.ts'
import { readSort, type Sort, writeSort } from '../table/sort.ts'
import { FILTER_PARTS, type Filter, readFilter } from './filter.ts'

const SORT = 'sort'

/** The state in the address of the screen: `?issue=42` opens one insight; the filter and the order are in it too. */
export type InsightsAddress = {
  address: URLSearchParams
  filter: Filter
  sort: Sort
  /** The filter and the order as text: the same for the same list. */
  list: string
  issue: number | null
  /** Opens an insight, another one in its place, or closes it. Back closes what was opened here, and Forward reopens it. */
  setIssue: (issue: number | null) => void
  setSort: (sort: Sort) => void
  /** Changes the address in place: no filter and no order belongs in the browser's history. */
  change: (make: (address: URLSearchParams) => URLSearchParams) => void
}

/** The filter, order and open insight of the page’s address. `list` is the part that decides about rows, and may lag behind while they render. */
export function useAddress(): InsightsAddress {
  const [address, setAddress] = useSearchParams()
  // True where the entry before this one in the browser's history is the list: opening an insight adds no second one.
  const above: unknown = useLocation().state
  const list = useDeferredValue(listOf(address))
  const { filter, sort } = useMemo(() => {
    const parts = new URLSearchParams(list)
    return { filter: readFilter(parts), sort: readSort(parts.get(SORT)) }
  }, [list])
  // From the browser's own address: what React shows may be a change behind.
  const change = useCallback(
    (make: (address: URLSearchParams) => URLSearchParams, adds = false) =>
      setAddress(make(new URLSearchParams(window.location.search)), { replace: !adds, state: adds || above }),
    [setAddress, above],
  )
  const setIssue = useCallback(
    (next: number | null) =>
      change(
        (old) => withOpen(old, next),
        next !== null && above !== true && openIn(new URLSearchParams(window.location.search)) === null,
      ),
    [change, above],
  )
  const setSort = useCallback((next: Sort) => change((old) => withValue(old, SORT, writeSort(next))), [change])
  return {
    address,
    filter,
    sort,
    list,
    issue: openIn(address),
    setIssue,
    setSort,
    change,
  }
}

function listOf(address: URLSearchParams): string {
  const parts = new URLSearchParams()
  for (const name of [...Object.values(FILTER_PARTS), SORT]) {
    for (const value of address.getAll(name)) parts.append(name, value)
  }
  return parts.toString()
}

function withValue(address: URLSearchParams, name: string, value: string | null): URLSearchParams {
  const next = new URLSearchParams(address)
  if (value === null) next.delete(name)
  else next.set(name, value)
  return next
}
