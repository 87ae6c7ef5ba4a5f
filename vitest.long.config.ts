import { defineConfig } from 'vitest/config'
import { requireNode } from './server/platform/require-node.ts'

requireNode()

/** Kills, fuzz and load: minutes, not seconds. One file at a time, so that what is killed is what was meant. */
export default defineConfig({
  test: {
    include: ['{contract,engine,connectors,server}/**/*.long.test.ts'],
    testTimeout: 1_200_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    globalSetup: ['server/platform/db/vitest-global.ts'],
  },
})
