import { deleteView, listViews, type SavedView, updateView } from '@groundswell/contract/views.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { toast } from '../../ui/toast-store.ts'
import { call } from '../client/index.ts'

const VIEWS = ['views']

/** The parameter of the address that names the view which was opened. */
export const VIEW = 'view'

/** The saved views that the person sees. */
export function useViews() {
  return useQuery({ queryKey: VIEWS, queryFn: () => call(listViews, {}), retry: false, staleTime: 60_000 })
}

/** Fetches the views again after a change. */
export function reloadViews(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: VIEWS })
}

/** The address that shows a view. */
export function addressOf({ query, view_id }: SavedView): string {
  return `/insights?${query === '' ? '' : `${query}&`}${VIEW}=${view_id}`
}

/** Changes a view of the person, and shows a toast. */
export async function changeView(
  client: QueryClient,
  { view_id }: SavedView,
  body: { query?: string; shared?: boolean },
  done: string,
): Promise<void> {
  try {
    const { name } = await call(updateView, { params: { view_id }, body })
    toast({ title: done, description: name })
  } catch (error) {
    toast({ title: 'Not changed', description: (error as Error).message, tone: 'destructive' })
  }
  await reloadViews(client)
}

/** Deletes a view of the person, and shows a toast. */
export async function removeView(client: QueryClient, { view_id, name }: SavedView): Promise<void> {
  try {
    await call(deleteView, { params: { view_id } })
    toast({ title: 'View deleted', description: name })
  } catch (error) {
    toast({ title: 'Not deleted', description: (error as Error).message, tone: 'destructive' })
  }
  await reloadViews(client)
}
