import { expect, it } from 'vitest'
import { template } from './_template/index.ts'
import { templateSource } from './_template-source/index.ts'
import { templateTracker } from './_template-tracker/index.ts'
import type { Check } from './conformance/check.ts'
import { plantedPushFaults } from './conformance/planted-push-faults.ts'
import { plantedSourceFaults } from './conformance/planted-source-faults.ts'
import { plantedTrackerFaults } from './conformance/planted-tracker-faults.ts'
import { catches, named, type PlantedFault } from './conformance/planting.ts'
import { pushChecks } from './conformance/push-checks.ts'
import { sourceChecks } from './conformance/source-checks.ts'
import { trackerChecks } from './conformance/tracker-checks.ts'
import type { Connector } from './connector.ts'
import { connectors } from './index.ts'
import type { Sample, SourceSample, TrackerSample } from './kit/sample.ts'

/** This many faults at least can be planted in each connector. */
const LEAST_PLANTED = 10

const all: readonly Connector[] = [...connectors, template, templateSource, templateTracker]
type Testing = { sample: Sample; source: SourceSample; tracker: TrackerSample }
const testingOf = async ({ manifest: { id } }: Connector): Promise<Testing> =>
  (await import(new URL(`./${id}/testing.ts`, import.meta.url).href)) as Testing

/** The faults that were planted, and those that their check did not catch. That each check passes without a fault, the suite shows. */
async function plantAll<G, S>(
  good: G,
  faults: readonly PlantedFault<G>[],
  checks: readonly Check<S>[],
  subjectOf: (bad: G) => S,
): Promise<{ planted: string[]; missed: string[] }> {
  const planted: string[] = []
  const missed: string[] = []
  for (const { fault, plant, check } of faults) {
    const caught = await catches(named(checks, check), subjectOf(plant(good)))
    // It cannot be planted where the connector has no such part.
    if (typeof caught === 'string') continue
    planted.push(fault)
    if (!caught) missed.push(fault)
  }
  return { planted, missed }
}

it.each(all.filter(({ file }) => !file).map((connector) => [connector.manifest.id, connector] as const))(
  'the suite catches every fault that is planted in %s',
  async (_, connector) => {
    const { sample, source, tracker: open } = await testingOf(connector)
    const { pull, push, tracker } = connector
    const outcomes = [
      pull &&
        (await plantAll(connector, plantedSourceFaults, sourceChecks, (bad) => ({ connector: bad, open: source }))),
      push && (await plantAll(connector, plantedPushFaults, pushChecks, (bad) => ({ connector: bad, sample }))),
      tracker &&
        (await plantAll(tracker, plantedTrackerFaults, trackerChecks, (bad) => {
          return { connector: { ...connector, tracker: bad }, tracker: bad, open }
        })),
    ].filter((outcome) => outcome !== undefined)
    expect(outcomes.flatMap(({ missed }) => missed)).toEqual([])
    expect(outcomes.flatMap(({ planted }) => planted).length).toBeGreaterThanOrEqual(LEAST_PLANTED)
  },
)
