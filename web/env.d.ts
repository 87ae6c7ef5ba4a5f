interface ImportMetaEnv {
  /** Base address of the calls; empty means the page's own. */
  readonly VITE_API_HOST?: string
  readonly VITE_ONBOARDING_URL?: string
  readonly VITE_SUPABASE_URL?: string
  readonly VITE_SLACK_CLIENT_ID?: string
}
