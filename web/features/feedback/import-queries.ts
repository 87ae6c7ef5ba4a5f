import {
  getImport,
  getImportInsights,
  type Import,
  listFileSources,
  listImports,
} from '@groundswell/contract/feedback.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { POLL_INTERVAL_MS, PROGRESS_POLL_MS } from '../../ui/constants.ts'
import { call } from '../client/index.ts'
import { MEANING_PROGRESS } from './meaning-query.ts'

/** Whether rows are still being read. */
export function isReading(one: Import): boolean {
  return one.state === 'waiting' || one.state === 'running'
}

/** Whether an import still has work ahead: rows to read, or rows read but not yet grouped. */
export function isGoingOn(one: Import): boolean {
  if (one.state === 'failed' || one.state === 'asking') return false
  return isReading(one) || one.grouped < one.added + one.replaced
}

/** One import, requested every second until it is complete. What depends on its messages is refetched then. */
export function useImport(id: string) {
  const client = useQueryClient()
  const result = useQuery({
    queryKey: ['imports', id],
    queryFn: () => call(getImport, { params: { id } }),
    refetchInterval: ({ state }) => (state.data && !isGoingOn(state.data) ? false : PROGRESS_POLL_MS),
  })
  const state = result.data?.state
  const complete = result.data ? !isGoingOn(result.data) : false
  useEffect(() => {
    if (state === undefined) return
    void client.invalidateQueries({ queryKey: ['imports', 'list'] })
    if (!complete) return
    void client.invalidateQueries({ queryKey: ['insights'] })
    void client.invalidateQueries({ queryKey: MEANING_PROGRESS })
  }, [state, complete, client])
  return result
}

/** The newest imports. */
export function useImports(enabled = true) {
  return useQuery({
    enabled,
    queryKey: ['imports', 'list'],
    queryFn: async () => (await call(listImports, {})).imports,
    refetchInterval: ({ state }) => (state.data?.some(isGoingOn) ? PROGRESS_POLL_MS * 2 : POLL_INTERVAL_MS),
  })
}

/** The sources that files were imported into. */
export function useFileSources() {
  return useQuery({
    queryKey: ['imports', 'sources'],
    queryFn: async () => (await call(listFileSources, {})).sources,
  })
}

/** The effect of an import on the insights, once all of it is grouped. Requested again: vectors of its messages arrive later, and group more of them. */
export function useImportInsights(id: string, complete: boolean) {
  return useQuery({
    enabled: complete,
    queryKey: ['imports', id, 'insights'],
    queryFn: () => call(getImportInsights, { params: { id } }),
    refetchInterval: POLL_INTERVAL_MS,
  })
}
