import type { PublicConfig } from '@groundswell/contract/operations.ts'
import { useQuery } from '@tanstack/react-query'
import { logOddity, readPublicConfig } from '../client/index.ts'

/** The server's run-time configuration; null on a server without that call, undefined while it is not known. */
export function usePublicConfig(): PublicConfig | null | undefined {
  const { data } = useQuery({ queryKey: ['public-config'], queryFn: fetchPublicConfig, staleTime: Infinity })
  return data
}

/** Whether the server has imports and deliveries. One without public configuration has not. */
export function useHasExtras(): boolean {
  return usePublicConfig() !== null
}

async function fetchPublicConfig(): Promise<PublicConfig | null> {
  try {
    return await readPublicConfig()
  } catch (error) {
    logOddity('No public configuration', error)
    return null
  }
}
