import { lazy, Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { LoadingScreen } from '../features/accounts/index.ts'
import { AdminOnly, HomeRedirect, SignedInOnly } from './guards.tsx'
import { NotFound } from './not-found.tsx'
import { screens } from './screens.ts'

const AuthPage = lazy(screens.auth)
const AuthCodeErrorPage = lazy(screens.authCodeError)
const OAuthCallbackPage = lazy(screens.oauthCallback)
const WelcomePage = lazy(screens.welcome)
const Layout = lazy(screens.layout)
const InsightsPage = lazy(screens.insights)
const IntegrationsPage = lazy(screens.integrations)
const SettingsPage = lazy(screens.settings)
const ImportPage = lazy(screens.import)
const DeliveriesPage = lazy(screens.deliveries)
const UngroupedPage = lazy(screens.ungrouped)
const DeadJobsPage = lazy(screens.deadJobs)
const AuditPage = lazy(screens.audit)
const EvalPage = lazy(screens.eval)
const ComparisonsPage = lazy(screens.comparisons)

/** Every component side by side; not part of a build for production. */
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
        <Route path="/signup/welcome" element={<WelcomePage />} />
        {UiPage ? <Route path="/ui" element={<UiPage />} /> : null}
        <Route element={<SignedInOnly />}>
          <Route index element={<HomeRedirect />} />
          <Route element={<Layout />}>
            <Route path="/insights" element={<InsightsPage />} />
            <Route path="/integrations" element={<IntegrationsPage />} />
            <Route path="/import" element={<ImportPage />} />
            <Route path="/deliveries" element={<DeliveriesPage />} />
            <Route path="/ungrouped" element={<UngroupedPage />} />
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
