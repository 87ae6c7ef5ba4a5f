import type { PublicConfig } from '@groundswell/contract/operations.ts'

const WELCOME_PATH = '/signup/welcome'

/** Redirects to the onboarding page: the operator's, or else our own. Always a full page load. */
export function goToOnboarding(config: PublicConfig | null | undefined): void {
  location.assign(config?.onboarding_url ?? import.meta.env.VITE_ONBOARDING_URL ?? WELCOME_PATH)
}
