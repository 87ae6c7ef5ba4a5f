import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { BrowserRouter } from 'react-router'
import { useSession } from '../features/accounts/index.ts'
import { Boundary } from '../ui/loading/boundary.tsx'
import { MissingScreen, reloadPage } from '../ui/loading/missing-part.tsx'
import { Toaster } from '../ui/toaster.tsx'
import { NewVersionFrame } from './new-version-frame.tsx'

/** Failures are shown or logged immediately: a poll retries automatically, a person manually. */
const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', staleTime: 1_000 },
    mutations: { retry: false, networkMode: 'always' },
  },
})

// However a user is signed out, even by another tab: nothing that was fetched for them is left for the next one.
useSession.subscribe(({ isAuthenticated }, before) => {
  if (before.isAuthenticated && !isAuthenticated) queryClient.clear()
})

/** The context of every screen. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <NewVersionFrame>
        <Boundary fallback={(error) => <MissingScreen error={error} onRetry={reloadPage} />}>
          <BrowserRouter>{children}</BrowserRouter>
        </Boundary>
      </NewVersionFrame>
      <Toaster />
    </QueryClientProvider>
  )
}
