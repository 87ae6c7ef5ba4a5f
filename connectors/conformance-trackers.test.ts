import { describe, expect, it } from 'vitest'
import { templateTracker } from './_template-tracker/index.ts'
import { trackerChecks } from './conformance/tracker-checks.ts'
import type { TrackerSubject } from './conformance/tracker-run.ts'
import type { Connector } from './connector.ts'
import { connectors } from './index.ts'
import type { TrackerSample, TrackerVariants } from './kit/sample.ts'
import type { Tracker } from './tracker.ts'

const all: readonly Connector[] = [...connectors, templateTracker]
const tracking = await Promise.all(
  all.flatMap((connector) => (connector.tracker ? [subjectsOf(connector, connector.tracker)] : [])),
)
const subjects = tracking.flat()

/** A connector with its stand-in, and with one for each of its variants. */
async function subjectsOf(connector: Connector, tracker: Tracker): Promise<(TrackerSubject & { name: string })[]> {
  const { id } = connector.manifest
  const path = new URL(`./${id}/testing.ts`, import.meta.url).href
  const loaded = (await import(path)) as { tracker: TrackerSample; variants?: TrackerVariants }
  const variants = Object.entries(loaded.variants ?? {})
  return [[id, loaded.tracker] as const, ...variants].map(([name, open]) => ({ name, connector, tracker, open }))
}

it('covers every tracker, and servers of one’s own', () => {
  expect(subjects.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      ...tracking.map(([first]) => first?.connector.manifest.id),
      'Azure DevOps Server 2020',
      'GitHub Enterprise Server',
    ]),
  )
})

describe.each(subjects.map((subject) => [subject.name, subject] as const))('%s', (_, { name: __, ...subject }) => {
  it.each(trackerChecks.map((check) => [check.name, check] as const))('%s', async (___, check) => {
    expect.hasAssertions()
    expect(await check.run(subject)).toBeUndefined()
  })
})
