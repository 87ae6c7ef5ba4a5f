import type { ComponentType } from 'react'

type Screen = () => Promise<ComponentType>

/** One load per screen: each is a separate file in the build, fetched when it is first shown. */
export const screens = {
  auth: async () => (await import('../features/accounts/auth-page.tsx')).AuthPage,
  authCodeError: async () => (await import('../features/accounts/auth-code-error-page.tsx')).AuthCodeErrorPage,
  oauthCallback: async () => (await import('../features/accounts/oauth-callback-page.tsx')).OAuthCallbackPage,
  welcome: async () => (await import('../features/accounts/welcome-page.tsx')).WelcomePage,
  layout: async () => (await import('./layout.tsx')).Layout,
  insights: async () => (await import('../features/insights/insights-page.tsx')).InsightsPage,
  integrations: async () => (await import('../features/connections/integrations-page.tsx')).IntegrationsPage,
  settings: async () => (await import('../features/settings/settings-page.tsx')).SettingsPage,
  import: async () => (await import('../features/feedback/import-page.tsx')).ImportPage,
  deliveries: async () => (await import('../features/deliveries/deliveries-page.tsx')).DeliveriesPage,
  ungrouped: async () => (await import('../features/insights/ungrouped/feedback-page.tsx')).FeedbackPage,
  reports: async () => (await import('../features/insights/reports/report-page.tsx')).ReportPage,
  eval: async () => (await import('../features/evals/eval-page.tsx')).EvalPage,
  comparisons: async () => (await import('../features/comparisons/comparisons-page.tsx')).ComparisonsPage,
  deadJobs: async () => (await import('../features/operations/dead-jobs-page.tsx')).DeadJobsPage,
  audit: async () => (await import('../features/accounts/audit-page.tsx')).AuditPage,
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
  '/reports': screens.reports,
  '/eval': screens.eval,
  '/comparisons': screens.comparisons,
  '/admin/jobs': screens.deadJobs,
}

/**
 * Starts fetching the screen of an address, so that the frame and the screen load in parallel. The router reports a failure
 * when it shows the screen.
 */
export function preloadScreen(path: string, signedIn: boolean): void {
  const screen = signedIn ? byPath[path] : screens.auth
  for (const load of signedIn ? [screens.layout, screen] : [screen]) load?.().catch(() => undefined)
}
