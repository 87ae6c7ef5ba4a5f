interface ImportMetaEnv {
  /** Base address of the calls; empty means the page's own. */
  readonly VITE_API_HOST?: string
  readonly VITE_ONBOARDING_URL?: string
  readonly VITE_SUPABASE_URL?: string
  readonly VITE_SUPABASE_ANON_KEY?: string
  readonly VITE_SLACK_CLIENT_ID?: string
  /** The live-chat widget: intercom, crisp or chatwoot, the id it provides, and Chatwoot's own address. */
  readonly VITE_CHAT_WIDGET?: string
  readonly VITE_CHAT_WIDGET_ID?: string
  readonly VITE_CHAT_WIDGET_HOST?: string
}
