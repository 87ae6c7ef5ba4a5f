import type { PublicConfig } from '@groundswell/contract/operations.ts'

/** Whether the server speaks the auth protocol: ours does, a hosted project does, one with only the calls of every server does not. */
export function hasAccounts(config: PublicConfig | null | undefined): boolean {
  return Boolean(config) || Boolean(import.meta.env.VITE_SUPABASE_URL)
}
