import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { isSample, seed } from './server/faults/extent.ts'
import { requireNode } from './server/platform/require-node.ts'

requireNode()

/** What the sample leaves to the whole run: they have no smaller form, or kill nothing and make no call. */
const ONLY_WHOLE = [
  'engine/corrections/constraints',
  'server/faults/load',
  'server/features/embeddings/transformers',
  'server/ops/checks',
].map((file) => `${file}.long.test.ts`)

process.stdout.write(
  isSample
    ? `A sample of the long tests, chosen by SEED=${seed}. Left to npm run test:long: ${ONLY_WHOLE.join(', ')}\n`
    : `All long tests, with SEED=${seed}\n`,
)

/** Files that take minutes, the longest first: one that began last would run alone at the end. */
const LONGEST = [
  'server/faults/fuzz',
  'server/faults/kills',
  'engine/corrections/constraints',
  'server/faults/correction-kills',
  'server/faults/two-workers',
  'server/faults/load',
  'server/auth/protocol/fuzz',
].map((file) => `/${file}.long.test.ts`)

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((file) => moduleId.endsWith(file))
      return place < 0 ? LONGEST.length : place
    }
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

/** Kills, fuzz and load: minutes, not seconds; or, with LONG_TESTS=sample, a little of each. Two files at a time: each kills only processes that it started, by their ids. */
export default defineConfig({
  test: {
    include: ['{contract,engine,connectors,server}/**/*.long.test.ts'],
    exclude: ['**/node_modules/**', ...(isSample ? ONLY_WHOLE : [])],
    env: { SEED: String(seed) },
    setupFiles: ['server/faults/vitest-seed.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 900_000,
    // Most of the sample waits for heartbeats and retries: a third file uses the cores meanwhile.
    maxWorkers: isSample ? 3 : 2,
    sequence: { sequencer: LongestFirst },
    globalSetup: ['server/platform/db/vitest-global.ts'],
  },
})
