import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { toast } from '../../../ui/toast-store.ts'

/** Carries out a change by a person, with a toast if it fails, and refetches what shows it (`shown`). Never throws. */
export async function attempt(
  client: QueryClient,
  failed: string,
  shown: readonly QueryKey[],
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    toast({ title: failed, description: error instanceof Error ? error.message : String(error), tone: 'destructive' })
  }
  await Promise.all(shown.map((queryKey) => refetch(client, queryKey)))
}

async function refetch(client: QueryClient, queryKey: QueryKey): Promise<void> {
  // The reply to a request from before the change would count as fresh, also where nothing shows it for the moment.
  await client.cancelQueries({ queryKey })
  await client.invalidateQueries({ queryKey })
}
