import { type Delivery, getDelivery, listDeliveries, replayDelivery } from '@groundswell/contract/deliveries.ts'
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { POLL_INTERVAL_MS } from '../../ui/constants.ts'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'

/** The filter of the delivery log. */
export type LedgerFilter = { destination: string | undefined; state: Delivery['state'] | undefined }

/** The delivery log, newest first, a page at a time. */
export function useLedger({ destination, state }: LedgerFilter) {
  return useInfiniteQuery({
    queryKey: ['deliveries', 'ledger', destination ?? null, state ?? null],
    queryFn: ({ pageParam }) =>
      call(listDeliveries, { query: { destination, state, ...(pageParam === null ? {} : { cursor: pageParam }) } }),
    placeholderData: keepPreviousData,
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: POLL_INTERVAL_MS,
  })
}

/** The newest deliveries of one insight. */
export function useInsightLedger(issueNumber: number) {
  return useQuery({
    queryKey: ['deliveries', 'insight', issueNumber],
    queryFn: () => call(listDeliveries, { query: { issue_number: issueNumber } }),
    refetchInterval: POLL_INTERVAL_MS,
  })
}

/** One delivery with every attempt. */
export function useDelivery(id: string) {
  return useQuery({
    queryKey: ['deliveries', 'one', id],
    queryFn: () => call(getDelivery, { params: { id } }),
    refetchInterval: POLL_INTERVAL_MS,
  })
}

/** Sends a delivery again with the same event id. */
export function useReplay() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(replayDelivery, { params: { id } }),
    onSuccess: () => toast({ title: 'Sent again', description: 'The attempt will appear here in a moment.' }),
    onError: (error) => toast({ title: 'Replay failed', description: error.message, tone: 'destructive' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['deliveries'] }),
  })
}
