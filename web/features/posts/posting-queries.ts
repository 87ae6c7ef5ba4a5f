import { getPosting, type PosterView } from '@groundswell/contract/posts.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '../client/index.ts'

const POSTING = ['posting']

/** Where messages can be posted, and the outcome of the latest ones. */
export function usePosting() {
  return useQuery({ queryKey: POSTING, queryFn: () => call(getPosting, {}), retry: false })
}

/** Shows a poster as the server has it now. */
export function replacePoster(client: QueryClient, poster: PosterView): void {
  client.setQueryData<{ posters: PosterView[] }>(POSTING, (before) => ({
    posters: (before?.posters ?? []).map((one) => (one.tile === poster.tile ? poster : one)),
  }))
}

/** Asks the server again. */
export async function reloadPosting(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: POSTING })
}
