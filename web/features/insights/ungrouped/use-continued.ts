import { useEffect } from 'react'

/** A search without results continues automatically for this many pages, then it asks. */
const AUTOMATIC_PAGES = 5

type Pages = {
  data: { pages: readonly { mentions: readonly unknown[] }[] } | undefined
  hasNextPage: boolean
  isPlaceholderData: boolean
  isError: boolean
  isFetching: boolean
  fetchNextPage: () => Promise<unknown>
}

/** Requests the next page when the last one was empty and there is more. True while it does. */
export function useContinued({
  data,
  hasNextPage,
  isPlaceholderData,
  isError,
  isFetching,
  fetchNextPage,
}: Pages): boolean {
  const all = data?.pages ?? []
  const emptyAtEnd = all.length - 1 - all.findLastIndex((page) => page.mentions.length > 0)
  const continues = hasNextPage && !isPlaceholderData && !isError && emptyAtEnd % AUTOMATIC_PAGES > 0
  useEffect(() => {
    if (continues && !isFetching) void fetchNextPage()
  }, [continues, isFetching, fetchNextPage])
  return continues
}
