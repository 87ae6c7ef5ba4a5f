import type { ComponentType } from 'react'

type Screen = () => Promise<ComponentType>

/** One load per screen: each is a separate file in the build, fetched when it is first shown. */
export const screens = {
  auth: async () => (await import('../features/accounts/sign-in/auth-page.tsx')).AuthPage,
  oauthCallback: async () => (await import('../features/accounts/sign-in/oauth-callback-page.tsx')).OAuthCallbackPage,
  authCodeError: async () => (await import('../features/accounts/sign-in/oauth-callback-page.tsx')).AuthCodeErrorPage,
  welcome: async () => (await import('../features/accounts/welcome-page.tsx')).WelcomePage,
  layout: async () => (await import('./layout.tsx')).Layout,
} satisfies Record<string, Screen>

/** The screens in the frame, by address. */
export const framedScreens: Readonly<Record<string, Screen>> = {
  '/insights': async () => (await import('../features/insights/insights-page.tsx')).InsightsPage,
  '/integrations': async () => (await import('../features/connections/integrations-page.tsx')).IntegrationsPage,
  '/settings/*': async () => (await import('../features/settings/settings-page.tsx')).SettingsPage,
  '/import': async () => (await import('../features/feedback/import-page.tsx')).ImportPage,
  '/deliveries': async () => (await import('../features/deliveries/deliveries-page.tsx')).DeliveriesPage,
  '/customers': async () => (await import('../features/customers/customers-page.tsx')).CustomersPage,
  '/ungrouped': async () => (await import('../features/insights/ungrouped/feedback-page.tsx')).FeedbackPage,
  '/reports': async () => (await import('../features/insights/reports/report-page.tsx')).ReportPage,
  '*': async () => (await import('./not-found.tsx')).NotFound,
}

/** Screens for administrators. */
export const adminScreens: Readonly<Record<string, Screen>> = {
  '/eval': async () => (await import('../features/evals/eval-page.tsx')).EvalPage,
  '/comparisons': async () => (await import('../features/comparisons/comparisons-page.tsx')).ComparisonsPage,
  '/admin/jobs': async () => (await import('../features/operations/dead-jobs-page.tsx')).DeadJobsPage,
  '/admin/audit': async () => (await import('../features/accounts/audit/audit-page.tsx')).AuditPage,
}

/**
 * Starts fetching the screen of an address, so that the frame and the screen load in parallel. The router reports a failure
 * when it shows the screen.
 */
export function preloadScreen(path: string, signedIn: boolean): void {
  const [, first] = path.split('/')
  const screen = framedScreens[path === '/' ? '/insights' : path] ?? framedScreens[`/${first}/*`] ?? adminScreens[path]
  for (const load of signedIn ? [screens.layout, screen] : [screens.auth]) load?.().catch(() => undefined)
}
