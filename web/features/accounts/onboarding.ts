import { readPublicConfig } from '../client/index.ts'
import { JOIN_PATH, pendingInvitation } from './sign-in/invitation-token.ts'

const WELCOME_PATH = '/signup/welcome'

/**
 * Redirects to the onboarding page: the operator's, or else our own; a person who came by an invitation accepts it. Always a full page load. Waits for
 * the configuration: a sign-in may precede it.
 */
export async function goToOnboarding(): Promise<void> {
  if (pendingInvitation() !== null) return location.assign(JOIN_PATH)
  const config = await readPublicConfig().catch(() => null)
  location.assign(config?.onboarding_url ?? import.meta.env.VITE_ONBOARDING_URL ?? WELCOME_PATH)
}

/** Where a person goes after a sign-in. */
export function afterSignIn(): string {
  return pendingInvitation() === null ? '/insights' : JOIN_PATH
}
