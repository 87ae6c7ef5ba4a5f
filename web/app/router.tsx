import { type ComponentType, lazy, Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { LoadingScreen } from '../features/accounts/index.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { MissingScreen } from '../ui/missing-part.tsx'
import { AdminOnly, HomeRedirect, SignedInOnly } from './guards.tsx'
import { NotFound } from './not-found.tsx'
import { screens } from './screens.ts'

const screen = (load: () => Promise<ComponentType>) =>
  lazyPart(load, {
    waiting: () => <LoadingScreen />,
    missing: (_, error, retry) => <MissingScreen error={error} onRetry={retry} />,
  })

/** Shows nothing while a screen is loading: its frame is already visible. */
const framed = (load: () => Promise<ComponentType>) =>
  lazyPart(load, { missing: (_, error, retry) => <MissingScreen error={error} onRetry={retry} /> })

const AuthPage = screen(screens.auth)
const AuthCodeErrorPage = screen(screens.authCodeError)
const OAuthCallbackPage = screen(screens.oauthCallback)
const WelcomePage = screen(screens.welcome)
const Layout = screen(screens.layout)
const InsightsPage = framed(screens.insights)
const IntegrationsPage = framed(screens.integrations)
const SettingsPage = framed(screens.settings)
const ImportPage = framed(screens.import)
const DeliveriesPage = framed(screens.deliveries)
const UngroupedPage = framed(screens.ungrouped)
const ReportPage = framed(screens.reports)
const DeadJobsPage = framed(screens.deadJobs)
const AuditPage = framed(screens.audit)
const EvalPage = framed(screens.eval)
const ComparisonsPage = framed(screens.comparisons)

/** Every component on one page; not part of a production build. */
const UiPage = import.meta.env.DEV ? lazy(async () => ({ default: (await import('./ui-page.tsx')).UiPage })) : null

/** Every address of the app. */
export function Router() {
  return (
    <Suspense fallback={<LoadingScreen />}>
      <Routes>
        <Route path="/auth" element={<AuthPage />} />
        <Route path="/login" element={<Navigate to="/auth" replace />} />
        <Route path="/auth/auth-code-error" element={<AuthCodeErrorPage />} />
        <Route path="/api/auth/oauth-callback" element={<OAuthCallbackPage />} />
        {UiPage ? <Route path="/ui" element={<UiPage />} /> : null}
        <Route element={<SignedInOnly />}>
          <Route index element={<HomeRedirect />} />
          <Route path="/signup/welcome" element={<WelcomePage />} />
          <Route element={<Layout />}>
            <Route path="/insights" element={<InsightsPage />} />
            <Route path="/integrations" element={<IntegrationsPage />} />
            <Route path="/import" element={<ImportPage />} />
            <Route path="/deliveries" element={<DeliveriesPage />} />
            <Route path="/ungrouped" element={<UngroupedPage />} />
            <Route path="/reports" element={<ReportPage />} />
            <Route path="/settings" element={<SettingsPage />} />
            <Route element={<AdminOnly />}>
              <Route path="/eval" element={<EvalPage />} />
              <Route path="/comparisons" element={<ComparisonsPage />} />
              <Route path="/admin/jobs" element={<DeadJobsPage />} />
              <Route path="/admin/audit" element={<AuditPage />} />
            </Route>
            <Route path="*" element={<NotFound />} />
          </Route>
        </Route>
      </Routes>
    </Suspense>
  )
}
