import path from 'node:path'
import { requireNode } from '@groundswell/server/platform/require-node.ts'
import { defineConfig } from 'vitest/config'

requireNode()

/** Whole journeys in a real browser against the whole stack, two files at a time. */
export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  test: {
    include: ['e2e/**/*.test.ts'],
    // A poll asks the page or the server each time.
    expect: { poll: { timeout: 60_000, interval: 100 } },
    // On a busy machine a screen takes long to load and to check, and some tests do so in several looks.
    testTimeout: 420_000,
    hookTimeout: 420_000,
    maxWorkers: 2,
    isolate: false,
    fsModuleCache: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    globalSetup: ['server/platform/db/vitest-global.ts', 'e2e/spec/bare-web.ts'],
  },
})
