import { defineConfig } from 'vitest/config'
import { requireNode } from './server/platform/require-node.ts'

requireNode()

/**
 * Files with a worker process of their own: they replace a module with `vi.mock`, or load it again with `vi.resetModules`, which every later
 * file of the worker would see, and which needs Vite to transform what imports it. All others share the modules of a worker (docs/testing.md).
 */
const ISOLATED = [
  'server/features/connections/sign-in/oauth-fields.test.ts',
  'server/features/connections/subscriptions/subscriptions.test.ts',
  'server/features/deliveries/preview/preview.test.ts',
  'server/features/deliveries/trackers/{push,status}.test.ts',
  'server/features/insights/grouping/states-vectors.test.ts',
  'server/features/syncs/tracker-events.test.ts',
  'web/features/{accounts/session,client/hosted-client}.test.ts',
]

/** Node strips the types itself: nothing is transformed, and code runs as in production. */
const native = { isolate: false, experimental: { viteModuleRunner: false, nodeLoader: false } }
const globalSetup = ['server/platform/db/vitest-global.ts']

export default defineConfig({
  test: {
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.long.test.ts'],
    // Limits end what hangs; on a busy machine a shorter one would be an assertion of speed. Tests set none of their own.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    maxWorkers: 2,
    reporters: ['default', './connectors/vitest-matrix.ts'],
    projects: [
      { extends: true, test: { name: 'connectors', include: ['connectors/**/*.test.ts'], ...native } },
      {
        extends: true,
        test: {
          name: 'product',
          include: ['{client,contract,encoder,engine,server,scripts,bench}/**/*.test.ts'],
          exclude: ISOLATED,
          globalSetup,
          ...native,
        },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED, globalSetup } },
      { extends: true, test: { name: 'web', include: ['web/**/*.test.{ts,tsx}'], exclude: ISOLATED, isolate: false } },
    ],
  },
})
