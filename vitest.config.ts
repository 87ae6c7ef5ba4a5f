import { defineConfig } from 'vitest/config'
import { requireNode } from './server/platform/require-node.ts'

requireNode()

export default defineConfig({
  test: {
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.long.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A poll waits a second by default, which on a busy machine is an assertion of speed.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
    reporters: ['default', './connectors/vitest-matrix.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'connectors',
          include: ['connectors/**/*.test.ts'],
          // They hold no state between files, and a third of their time would be the loading of the same modules again.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'product',
          include: ['{client,contract,encoder,engine,server,scripts,bench}/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
          globalSetup: ['server/platform/db/vitest-global.ts'],
        },
      },
    ],
  },
})
