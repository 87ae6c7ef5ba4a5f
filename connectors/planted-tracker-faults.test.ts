import { describe, expect, it } from 'vitest'
import { templateTracker } from './_template-tracker/index.ts'
import { tracker as sample } from './_template-tracker/testing.ts'
import { catches, caughtBy, named, overHttp, readsHtmlAs, sendsAgain, unending } from './conformance/planting.ts'
import { trackerChecks } from './conformance/tracker-checks.ts'
import type { TrackerSubject } from './conformance/tracker-run.ts'
import type { Context } from './connector.ts'
import { ItemGone, Unavailable } from './kit/errors.ts'
import type { Tracker } from './tracker.ts'

const { tracker: good } = templateTracker
if (!good) throw new Error('The template keeps no items')
const tracking = (change: Partial<Tracker>): Tracker => ({ ...good, ...change })
/** Every call of the template, in a changed context. */
const trackingIn = (change: (context: Context) => Context) =>
  tracking({
    find: (context, marker) => good.find(change(context), marker),
    create: (context, request) => good.create(change(context), request),
    update: (context, remote, request) => good.update(change(context), remote, request),
    readStatus: (context, remotes) => good.readStatus(change(context), remotes),
    verify: (context) => good.verify(change(context)),
  })

/** Faulty variants of the tracker template, and the check that catches each. */
const trackers: [fault: string, tracker: Tracker, check: string][] = [
  [
    'creates without a marker that can be found',
    tracking({ find: async () => null }),
    'creates one item with everything that the document says, and finds it by its marker',
  ],
  [
    'creates again when the outcome is unknown',
    tracking({
      create: (context, request) => good.create(context, request).catch(() => good.create(context, request)),
    }),
    'finds the item whose creation ended with silence',
  ],
  ['says that search never lags', tracking({ findLagSeconds: 0 }), 'says for how long search may lag behind'],
  [
    'writes a comment for every update',
    trackingIn((context) =>
      overHttp(context, (send) => async (request) => {
        const response = await send(request)
        return { ...response, body: response.body.replace(/"comments":\[[^\]]*\]/, '"comments":[]') }
      }),
    ),
    'shows 20 updates in its text or in one comment, also when it forgot which',
  ],
  [
    'takes a 500 for a deleted item',
    tracking({
      update: (context, remote, request) =>
        good.update(context, remote, request).catch(() => {
          throw new ItemGone('The item no longer exists')
        }),
    }),
    'on 500 update fails as one of the four kinds',
  ],
  [
    'creates a deleted item again',
    tracking({
      update: (context, remote, request) =>
        good.update(context, remote, request).catch(() => good.create(context, request)),
    }),
    'reports an item that is no longer there on update: delete',
  ],
  [
    'always reopens',
    tracking({ update: (context, remote, request) => good.update(context, remote, { ...request, reopen: true }) }),
    'updates a closed item, and reopens it only when asked to',
  ],
  [
    'reads states one by one',
    tracking({
      readStatus: async (context, remotes) =>
        (await Promise.all(remotes.map((remote) => good.readStatus(context, [remote])))).flat(),
    }),
    'reads the states of many items at once',
  ],
  [
    'verifies by creating an item',
    tracking({
      verify: async (context) => {
        const { token = '' } = context.secrets
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        await context.http.request({
          method: 'POST',
          url: `${context.baseUrl}/items`,
          headers,
          body: '{"title":"Test"}',
        })
        return await good.verify(context)
      },
    }),
    'verifies without leaving anything behind',
  ],
  [
    'shows the token in a message',
    tracking({
      create: (context, request) =>
        good.create(context, request).catch(() => {
          throw new Unavailable(`It failed with ${context.secrets.token}`)
        }),
    }),
    'on 500 create fails as one of the four kinds',
  ],
  [
    'logs what customers wrote',
    tracking({
      create: (context, request) => {
        context.log.info({ title: request.document.title }, 'creates an item')
        return good.create(context, request)
      },
    }),
    'writes no secret and no customer text into its log',
  ],
  [
    'ignores a 429',
    trackingIn((context) => overHttp(context, sendsAgain(0))),
    'on 429 create fails as one of the four kinds',
  ],
  [
    'reads an HTML page as an empty list',
    trackingIn((context) => overHttp(context, readsHtmlAs({ items: [] }))),
    'on html find fails as one of the four kinds',
  ],
  ['ignores the signal', trackingIn(unending), 'stops when the signal is aborted'],
]

/** Faults that no check of a tracker sees. */
const unseenTrackers: [fault: string, tracker: Tracker][] = [
  [
    'leaves out why an item was closed',
    tracking({
      readStatus: async (context, remotes) =>
        (await good.readStatus(context, remotes)).map((status) => ({ ...status, name: null })),
    }),
  ],
]

const ofTracker = (tracker: Tracker): TrackerSubject => ({
  connector: { ...templateTracker, tracker },
  tracker,
  open: sample,
})

describe('a tracker that', () => {
  it.each(trackers)('%s is caught', async (_, tracker, name) => {
    const check = named(trackerChecks, name)
    expect(await catches(check, ofTracker(good))).toBe(false)
    expect(await catches(check, ofTracker(tracker))).toBe(true)
  })

  it.each(unseenTrackers)('%s is not caught', async (_, tracker) => {
    expect(await caughtBy(trackerChecks, ofTracker(tracker))).toEqual([])
  })
})
