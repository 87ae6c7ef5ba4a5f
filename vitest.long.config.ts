import { defineConfig } from 'vitest/config'
import { requireNode } from './server/platform/require-node.ts'

requireNode()

/** Kills, fuzz and load: minutes, not seconds. Two files at a time: each kills only processes that it started, by their ids. */
export default defineConfig({
  test: {
    include: ['{contract,engine,connectors,server}/**/*.long.test.ts'],
    testTimeout: 1_200_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
    globalSetup: ['server/platform/db/vitest-global.ts'],
  },
})
