import { defineConfig } from 'vitest/config'
import { requireNode } from './server/platform/require-node.ts'

requireNode()

export default defineConfig({
  test: {
    include: ['{contract,encoder,engine,connectors,server,scripts,bench}/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.long.test.ts'],
    globalSetup: ['server/platform/db/vitest-global.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A poll waits a second by default, which on a busy machine is an assertion of speed.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
  },
})
