import type { PublicConfig } from '@groundswell/contract/operations.ts'
import { usePublicConfig } from '../operations/index.ts'

/** Whether the server speaks the auth protocol: ours and hosted projects do; one with only the standard calls does not. */
export function hasAccounts(config: PublicConfig | null | undefined): boolean {
  return Boolean(config) || Boolean(import.meta.env.VITE_SUPABASE_URL)
}

/** Whether a hosted project signs people in. It has no list of sessions and no recovery codes. */
export function useIsHosted(): boolean {
  const config = usePublicConfig()
  return Boolean(config?.hosted_auth) || (config === null && Boolean(import.meta.env.VITE_SUPABASE_URL))
}
