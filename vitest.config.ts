import { defineConfig } from 'vitest/config'
import { ISOLATED_TESTS, TRACKER_TESTS } from './scripts/isolated-tests.ts'
import { requireNode } from './server/platform/require-node.ts'

requireNode()

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
    // What it keeps of a module that Node loaded has no exports: the reporter of the matrix, which Vite loads, got such modules.
    fsModuleCache: false,
    maxWorkers: 2,
    reporters: ['default', './connectors/vitest-matrix.ts'],
    projects: [
      { extends: true, test: { name: 'connectors', include: ['connectors/**/*.test.ts'], ...native } },
      {
        extends: true,
        test: {
          name: 'product',
          include: ['{client,contract,encoder,engine,server,scripts,bench}/**/*.test.ts'],
          exclude: [...ISOLATED_TESTS, ...TRACKER_TESTS],
          globalSetup,
          ...native,
        },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED_TESTS, globalSetup } },
      { extends: true, test: { name: 'trackers', include: TRACKER_TESTS, globalSetup, isolate: false } },
      {
        extends: true,
        test: { name: 'web', include: ['web/**/*.test.{ts,tsx}'], exclude: ISOLATED_TESTS, isolate: false },
      },
    ],
  },
})
