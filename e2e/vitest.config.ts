import path from 'node:path'
import { defineConfig } from 'vitest/config'

/** Whole journeys in a real browser against the whole stack, one after another. */
export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  test: {
    include: ['e2e/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    fileParallelism: false,
    globalSetup: ['server/platform/db/vitest-global.ts'],
  },
})
