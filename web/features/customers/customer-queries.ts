import { type CustomerOrder, getCustomer, listCustomers } from '@groundswell/contract/customers.ts'
import { searchFeedback } from '@groundswell/contract/feedback/feedback-search.ts'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { CallError, call } from '../client/index.ts'

/** The first part of the keys of all queries about customers. */
export const CUSTOMERS = 'customers'
const PAGE = 50
/** How often the list is reloaded while the customers of older messages are being found. */
const FINDING_MS = 5_000

/** The customers whose name or domain has these words, a page at a time. */
export function useCustomers(words: string, order: CustomerOrder) {
  return useInfiniteQuery({
    queryKey: [CUSTOMERS, 'list', words, order],
    queryFn: ({ pageParam }) =>
      call(listCustomers, { query: { words: words || undefined, order, offset: pageParam, limit: PAGE } }),
    initialPageParam: 0,
    getNextPageParam: (page, pages) => {
      const loaded = pages.reduce((sum, { customers }) => sum + customers.length, 0)
      return page.customers.length > 0 && loaded < page.total ? loaded : null
    },
    placeholderData: keepPreviousData,
    refetchInterval: (query) => (query.state.data?.pages[0]?.complete === false ? FINDING_MS : false),
  })
}

/** One customer. */
export function useCustomer(id: string) {
  return useQuery({
    queryKey: [CUSTOMERS, 'one', id],
    queryFn: () => call(getCustomer, { params: { id } }),
    enabled: id !== '',
  })
}

/** What a customer said, newest first, a page at a time. */
export function useSaid(customer: string) {
  return useInfiniteQuery({
    queryKey: [CUSTOMERS, 'said', customer],
    queryFn: ({ pageParam }) =>
      call(searchFeedback, { query: { customer, limit: 20, ...(pageParam === null ? {} : { cursor: pageParam }) } }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
}

/** The insights that a customer mentioned; none where it is not known. */
export async function readInsightNumbers(id: string): Promise<Set<number>> {
  try {
    return new Set((await call(getCustomer, { params: { id } })).issue_numbers)
  } catch (error) {
    if (error instanceof CallError && error.status < 500) return new Set()
    throw error
  }
}
