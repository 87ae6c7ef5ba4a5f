import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { devProxy } from './dev-proxy.ts'
import { keepPreviousAssets } from './keep-previous-assets.ts'
import { leaveOutPrefetch } from './leave-out-prefetch.ts'
import { leaveOutServerOnly } from './leave-out-server-only.ts'
import { routePreload } from './route-preload.ts'

const api = process.env.API_PROXY ?? 'http://127.0.0.1:3000'

const framed = (screen: string) => ['app/layout.tsx', screen]

/** The modules of each address, as in `app/screens.ts`. */
const screens = {
  '/auth': ['features/accounts/sign-in/auth-page.tsx'],
  '/': framed('features/insights/insights-page.tsx'),
  '/insights': framed('features/insights/insights-page.tsx'),
  '/integrations': framed('features/connections/integrations-page.tsx'),
  '/settings': framed('features/settings/settings-page.tsx'),
  '/import': framed('features/feedback/import-page.tsx'),
  '/deliveries': framed('features/deliveries/deliveries-page.tsx'),
  '/ungrouped': framed('features/insights/ungrouped/feedback-page.tsx'),
  '/customers': framed('features/customers/customers-page.tsx'),
  '/reports': framed('features/insights/reports/report-page.tsx'),
  '/eval': framed('features/evals/eval-page.tsx'),
  '/comparisons': framed('features/comparisons/comparisons-page.tsx'),
  '/admin/jobs': framed('features/operations/dead-jobs-page.tsx'),
}

/**
 * The build is a static folder, `web/dist/`. Every script and style tag of index.html has the placeholder `__CSP_NONCE__`: a
 * server that sends a Content-Security-Policy replaces it for each response. In development calls are proxied to `API_PROXY`.
 */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [
    leaveOutServerOnly(),
    leaveOutPrefetch(),
    react(),
    tailwindcss(),
    routePreload(screens, '/auth'),
    keepPreviousAssets(),
  ],
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist',
    manifest: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Creating a schema has no side effects: an unused one is removed. Those of the contract's names create one.
      treeshake: { manualPureFunctions: ['z', 'nameOf', 'noControls'] },
      output: {
        // The first view lists a hundred and thirty of these names. Seven characters of a hash are the least that rolldown accepts for this number of files.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        // What every screen needs is in two files, the libraries' and ours: they compress better than many small ones, and the
        // first stays cached when only our own code changes. Parts of a library that the first view never uses are excluded.
        // What the list of insights shares with other screens is included: otherwise each part of it would be a separate file. Of the contract
        // only what has no schemas: the library of schemas is in a file that needs this one. So the session and the user stay out too.
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|zustand|clsx|get-nonce|@tanstack[\\/](query-core|react-query))[\\/](?!.*(?:utationObserver|useMutation|nfiniteQueryObserver|useInfiniteQuery|useMutationState))/,
            },
            {
              name: 'frame',
              test: /web[\\/](ui[\\/](badge|button|constants|empty-state|field|overlays[\\/](menu|modal-open|tooltip)|search-box|text[\\/]moment|page|toast-store|toaster|first-look|table[\\/](table-skeleton|(use-)?rows-in-view)|side-link|wordmark)\.tsx?|features[\\/](accounts[\\/](auth-(server|screen)|person-of|sign-in[\\/]oauth-fragment)\.|client[\\/](?!auth-client|reply-schemas|upload)|insights[\\/](insight-queries|mention-words|open-address|status-badge|tag-value|table[\\/](columns[\\/].+|insight-row|sort|table-[a-z]+|tick-slot|spike|spike-mark)|visits[\\/]change-groups)\.|operations[\\/](index|public-config)|feedback[\\/](index|import-link)))|contract[\\/](values[\\/]category-value|insights[\\/]insight-(filter|order))\.ts$|lucide-react[\\/]dist[\\/]esm[\\/]([^\\/]+|icons[\\/](clipboard-check|columns-3|waves-horizontal|upload|chevrons-up-down|panel-left|blocks|settings|menu|ellipsis))\.mjs/,
            },
            // What both first routes share besides, and what the sign-in page shares with other screens: were it in a part below, that page would fetch
            // the whole part.
            {
              name: 'session',
              test: /contract[\\/](settings|accounts|values[\\/](name|role))\.ts$|web[\\/]features[\\/]accounts[\\/](session|user-store|index|settings[\\/]account-section)\.tsx?$/,
            },
            { name: 'form', test: /web[\\/]ui[\\/](form|text[\\/]form-text)\./ },
            // A file of a few hundred bytes takes a browser as long as ten times as much code (docs/testing.md). Small parts that several screens share are
            // in one file, unless they need a large one: whatever a part imports is in its file, or fetched with it.
            {
              name: 'overlays',
              test: /node_modules[\\/](@radix-ui[\\/]react-(dialog|use-size)|aria-hidden|react-remove-scroll)[\\/]|web[\\/]ui[\\/]overlays[\\/]dialog\./,
            },
            { name: 'queries', test: /react-query[\\/]build[\\/]modern[\\/]use(Mutation|InfiniteQuery)\./ },
            { name: 'poppers', test: /node_modules[\\/]@radix-ui[\\/]react-popper[\\/]/ },
            {
              name: 'small',
              test: /lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/]|contract[\\/].+\.ts$|web[\\/]ui[\\/](?!overlays|switch|panel)/,
              minShareCount: 2,
              maxModuleSize: 4_000,
            },
            {
              name: 'insight-parts',
              test: /web[\\/]features[\\/]insights[\\/](?!.*(dialog|index\.ts))/,
              minShareCount: 2,
              maxModuleSize: 2_000,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: devProxy(api),
  },
})
