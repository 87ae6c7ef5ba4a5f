import { getReading } from '@groundswell/contract/models/embeddings.ts'
import { useQuery } from '@tanstack/react-query'
import { POLL_INTERVAL_MS, PROGRESS_POLL_MS } from '../../ui/constants.ts'
import { call } from '../client/index.ts'
import { useHasExtras } from '../operations/index.ts'

export const MEANING_PROGRESS = ['meaning-progress']

/** How many messages the encoder has read in its pass over many new ones, such as those of an import; null while there is no such pass. */
export function useMeaningProgress(): { done: number; total: number } | null {
  const { data } = useQuery({
    queryKey: MEANING_PROGRESS,
    queryFn: async () => (await call(getReading, {})).reading ?? null,
    enabled: useHasExtras(),
    retry: false,
    refetchInterval: ({ state }) => (state.data ? PROGRESS_POLL_MS : POLL_INTERVAL_MS),
  })
  return data ?? null
}
