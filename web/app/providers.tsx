import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { BrowserRouter } from 'react-router'
import { useSession } from '../features/accounts/index.ts'
import { useToasts } from '../ui/toast-store.ts'

/** Failures are shown or logged at once: a poll tries again by itself, a person by hand. */
const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', staleTime: 1_000 },
    mutations: { retry: false, networkMode: 'always' },
  },
})

// However somebody is signed out, also by another tab: nothing that was fetched for them is left for the next one.
useSession.subscribe(({ isAuthenticated }, before) => {
  if (before.isAuthenticated && !isAuthenticated) queryClient.clear()
})

const Toaster = lazy(async () => ({ default: (await import('../ui/toaster.tsx')).Toaster }))

/** What every screen stands in. The toaster is fetched with the first toast. */
export function Providers({ children }: { children: ReactNode }) {
  const toasted = useToasts((store) => store.nextId > 1)
  return (
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>{children}</BrowserRouter>
      {toasted ? (
        <Suspense>
          <Toaster />
        </Suspense>
      ) : null}
    </QueryClientProvider>
  )
}
