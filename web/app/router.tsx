import { type ComponentType, lazy, Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { LoadingScreen } from '../features/accounts/index.ts'
import { lazyPart } from '../ui/loading/lazy-part.tsx'
import { MissingScreen } from '../ui/loading/missing-part.tsx'
import { AdminOnly, HomeRedirect, SignedInOnly } from './guards.tsx'
import { adminScreens, framedScreens, screens } from './screens.ts'

const screen = (load: () => Promise<ComponentType>) =>
  lazyPart(load, {
    waiting: () => <LoadingScreen />,
    missing: (_, error, retry) => <MissingScreen error={error} onRetry={retry} />,
  })

/** Shows nothing while a screen is loading: its frame is already visible. */
const framed = (loads: Readonly<Record<string, () => Promise<ComponentType>>>) =>
  Object.entries(loads).map(([path, load]) => {
    const Screen = lazyPart(load, { missing: (_, error, retry) => <MissingScreen error={error} onRetry={retry} /> })
    return <Route key={path} path={path} element={<Screen />} />
  })

const AuthPage = screen(screens.auth)
const OAuthCallbackPage = screen(screens.oauthCallback)
const AuthCodeErrorPage = screen(screens.authCodeError)
const WelcomePage = screen(screens.welcome)
const Layout = screen(screens.layout)
const framedRoutes = framed(framedScreens)
const adminRoutes = framed(adminScreens)

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
            {framedRoutes}
            <Route element={<AdminOnly />}>{adminRoutes}</Route>
          </Route>
        </Route>
      </Routes>
    </Suspense>
  )
}
