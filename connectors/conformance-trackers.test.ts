import { describe, expect, it } from 'vitest'
import { templateTracker } from './_template-tracker/index.ts'
import { trackerChecks } from './conformance/tracker-checks.ts'
import type { Connector } from './connector.ts'
import { connectors } from './index.ts'
import type { TrackerSample } from './kit/sample.ts'

const all: readonly Connector[] = [...connectors, templateTracker]
const tracking = all.flatMap((connector) => (connector.tracker ? [{ connector, tracker: connector.tracker }] : []))

async function sampleOf({ manifest }: Connector): Promise<TrackerSample> {
  const path = new URL(`./${manifest.id}/testing.ts`, import.meta.url).href
  const loaded = (await import(path)) as { tracker: TrackerSample }
  return loaded.tracker
}

it('covers a tracker', () => expect(tracking.length).toBeGreaterThan(0))

describe.each(tracking.map((one) => [one.connector.manifest.id, one] as const))('%s', (_, { connector, tracker }) => {
  it.each(trackerChecks.map((check) => [check.name, check] as const))('%s', async (__, check) => {
    expect.hasAssertions()
    expect(await check.run({ connector, tracker, open: await sampleOf(connector) })).toBeUndefined()
  })
})
