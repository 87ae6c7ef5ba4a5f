import type { ComponentType } from 'react'

type Screen = () => Promise<{ default: ComponentType }>

/** One load per screen: each is a file of its own in the build, fetched when it is first shown. */
export const screens = {
  auth: async () => ({ default: (await import('../features/accounts/auth-page.tsx')).AuthPage }),
  authCodeError: async () => ({
    default: (await import('../features/accounts/auth-code-error-page.tsx')).AuthCodeErrorPage,
  }),
  oauthCallback: async () => ({
    default: (await import('../features/accounts/oauth-callback-page.tsx')).OAuthCallbackPage,
  }),
  welcome: async () => ({ default: (await import('../features/accounts/welcome-page.tsx')).WelcomePage }),
  layout: async () => ({ default: (await import('./layout.tsx')).Layout }),
  insights: async () => ({ default: (await import('../features/insights/insights-page.tsx')).InsightsPage }),
  integrations: async () => ({
    default: (await import('../features/connections/integrations-page.tsx')).IntegrationsPage,
  }),
  settings: async () => ({ default: (await import('../features/settings/settings-page.tsx')).SettingsPage }),
  import: async () => ({ default: (await import('../features/feedback/import-page.tsx')).ImportPage }),
  deliveries: async () => ({ default: (await import('../features/deliveries/deliveries-page.tsx')).DeliveriesPage }),
  ungrouped: async () => ({
    default: (await import('../features/insights/ungrouped/ungrouped-page.tsx')).UngroupedPage,
  }),
  eval: async () => ({ default: (await import('../features/evals/eval-page.tsx')).EvalPage }),
  comparisons: async () => ({
    default: (await import('../features/comparisons/comparisons-page.tsx')).ComparisonsPage,
  }),
  deadJobs: async () => ({ default: (await import('../features/operations/dead-jobs-page.tsx')).DeadJobsPage }),
  audit: async () => ({ default: (await import('../features/accounts/audit-page.tsx')).AuditPage }),
} satisfies Record<string, Screen>

const byPath: Record<string, Screen> = {
  '/': screens.insights,
  '/auth': screens.auth,
  '/insights': screens.insights,
  '/integrations': screens.integrations,
  '/settings': screens.settings,
  '/import': screens.import,
  '/deliveries': screens.deliveries,
  '/ungrouped': screens.ungrouped,
  '/eval': screens.eval,
  '/comparisons': screens.comparisons,
  '/admin/jobs': screens.deadJobs,
}

/** Starts fetching what an address will show, so that the frame and its screen come side by side. */
export function preloadScreen(path: string, signedIn: boolean): void {
  const screen = signedIn ? byPath[path] : screens.auth
  if (signedIn) void screens.layout()
  void screen?.()
}
