import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchForNewVersion } from './app/new-version.ts'
import { Providers } from './app/providers.tsx'
import { Router } from './app/router.tsx'
import { preloadScreen } from './app/screens.ts'
import { startTheme } from './app/theme.ts'
import { startSession, takeOAuthFragment } from './features/accounts/index.ts'
import { readToken } from './features/client/index.ts'
import './styles.css'

takeOAuthFragment()
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce
if (nonce) setNonce(nonce)
startTheme()
watchForNewVersion()
preloadScreen(location.pathname, readToken() !== null)
void startSession()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <Providers>
      <Router />
    </Providers>
  </StrictMode>,
)
