import { describe, expect, it } from 'vitest'
import { templateSource } from './_template-source/index.ts'
import { source } from './_template-source/testing.ts'
import { templateTracker } from './_template-tracker/index.ts'
import { tracker as openTracker } from './_template-tracker/testing.ts'
import { itemsAs, pullingIn } from './conformance/planted-source-faults.ts'
import { trackingIn } from './conformance/planted-tracker-faults.ts'
import { catches, caughtBy, named, overHttp, readsHtmlAs } from './conformance/planting.ts'
import { sourceChecks } from './conformance/source-checks.ts'
import type { SourceSubject } from './conformance/source-run.ts'
import { trackerChecks } from './conformance/tracker-checks.ts'
import type { TrackerSubject } from './conformance/tracker-run.ts'
import type { Connector, Context, EventOutcome } from './connector.ts'
import type { Tracker } from './tracker.ts'

/** Faults that need to know what the provider's responses look like: planted in the templates. */
const sources: [fault: string, connector: Connector, check: string][] = [
  [
    'leaves out edited messages',
    itemsAs((items) => items.filter(({ version }) => version === undefined))(templateSource),
    'what was edited, with the time of the edit as its version',
  ],
  [
    'gives versions in milliseconds',
    itemsAs((items) => items.map((item) => ({ ...item, ...(item.version ? { version: item.version / 1000 } : {}) })))(
      templateSource,
    ),
    'what was edited, with the time of the edit as its version',
  ],
  [
    'logs a response that it cannot parse',
    pullingIn((context) =>
      overHttp(context, (send) => async (request) => {
        const response = await send(request)
        if (response.body.includes('"id":17')) context.log.warn({ body: response.body }, 'not as documented')
        return response
      }),
    )(templateSource),
    'and reports wrong-types as unavailable, without a secret or customer text',
  ],
  [
    'reads an HTML page as an empty list',
    pullingIn((context) => overHttp(context, readsHtmlAs({ messages: [], next: 'end', has_more: false })))(
      templateSource,
    ),
    'and reports html as unavailable, without a secret or customer text',
  ],
]

const handled = async (context: Context, payload: Record<string, unknown>): Promise<EventOutcome> => {
  if (!templateSource.handleEvent) throw new Error('The template handles no events')
  return await templateSource.handleEvent(context, payload)
}
const withoutAuthor = <I extends { author: string | null }>(items: I[]) =>
  items.map((item) => ({ ...item, author: null }))

/**
 * No check of a source sees that it reads inboxes that were not chosen, leaves out the author, and returns the old tokens from a refresh:
 * the connector's own tests have to.
 */
const unseenSource: Connector = {
  ...pullingIn((context) => ({ ...context, settings: {} }))(itemsAs(withoutAuthor)(templateSource)),
  handleEvent: async (context, payload) => {
    const outcome = await handled(context, payload)
    return { ...outcome, items: withoutAuthor(outcome.items) }
  },
  refresh: async ({ secrets }) => ({ secrets, expiresAt: null }),
}

const ofSource = (connector: Connector): SourceSubject => ({ connector, open: source })

describe('a source that', () => {
  it.each(sources)('%s is caught', async (_, connector, name) => {
    expect(await catches(named(sourceChecks, name), ofSource(connector))).toBe(true)
  })

  it('reads what was not chosen, leaves out the author and keeps old tokens is not caught', async () => {
    expect(await caughtBy(sourceChecks, ofSource(unseenSource))).toEqual([])
  })
})

const { tracker: good } = templateTracker
if (!good) throw new Error('The template keeps no items')
const tracking = (change: Partial<Tracker>): Tracker => ({ ...good, ...change })

const trackers: [fault: string, tracker: Tracker, check: string][] = [
  ['says that search never lags', tracking({ findLagSeconds: 0 }), 'says for how long search may lag behind'],
  [
    'writes a comment for every update',
    trackingIn((context) =>
      overHttp(context, (send) => async (request) => {
        const response = await send(request)
        return { ...response, body: response.body.replace(/"comments":\[[^\]]*\]/, '"comments":[]') }
      }),
    )(good),
    'shows 20 updates in its text or in one comment, also when it forgot which',
  ],
  [
    'reads an HTML page as an empty list',
    trackingIn((context) => overHttp(context, readsHtmlAs({ items: [] })))(good),
    'on html find fails as one of the four kinds',
  ],
]

const reasonless: [string, Tracker][] = [
  [
    'leaves out why an item was closed',
    tracking({
      readStatus: async (context, remotes) =>
        (await good.readStatus(context, remotes)).map((status) => ({ ...status, name: null })),
    }),
  ],
  [
    'takes every closed item for done',
    tracking({
      readStatus: async (context, remotes) =>
        (await good.readStatus(context, remotes)).map((status) => ({ ...status, declined: false })),
    }),
  ],
  [
    'forgets on an update that an item was declined',
    tracking({
      update: async (context, remote, request) => ({
        ...(await good.update(context, remote, request)),
        declined: false,
      }),
    }),
  ],
]

const ofTracker = (tracker: Tracker): TrackerSubject => ({
  connector: { ...templateTracker, tracker },
  tracker,
  open: openTracker,
})

describe('a tracker that', () => {
  it.each(trackers)('%s is caught', async (_, tracker, name) => {
    expect(await catches(named(trackerChecks, name), ofTracker(tracker))).toBe(true)
  })

  it.each(reasonless)('%s is caught', async (_, tracker) => {
    expect(await caughtBy(trackerChecks, ofTracker(tracker))).toEqual([
      'tells an item that was closed without being done, with the reason, in each of its replies',
    ])
  })
})
