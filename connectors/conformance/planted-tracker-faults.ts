import { randomUUID } from 'node:crypto'
import type { Context } from '../connector.ts'
import { ItemGone, isConnectorFailure, Unavailable } from '../kit/errors.ts'
import type { Tracker } from '../tracker.ts'
import { loggingHeaders, overHttp, type PlantedFault, sendsAgain, unending } from './planting.ts'
import { documentOf } from './tracker-run.ts'

/** Every call of a tracker, in a changed context. */
export const trackingIn =
  (change: (context: Context) => Context) =>
  (good: Tracker): Tracker => ({
    ...good,
    find: (context, marker) => good.find(change(context), marker),
    create: (context, request) => good.create(change(context), request),
    update: (context, remote, request) => good.update(change(context), remote, request),
    readStatus: (context, remotes) => good.readStatus(change(context), remotes),
    verify: (context) => good.verify(change(context)),
  })

/** Creating an item fails as another failure. */
const creatingFailsAs =
  (change: (error: Error, context: Context) => Error) =>
  (good: Tracker): Tracker => ({
    ...good,
    create: (context, request) =>
      good.create(context, request).catch((error: Error) => {
        throw change(error, context)
      }),
  })

const CREATES = 'creates one item with everything that the document says, and finds it by its marker'

const FOLLOWS = 'gives an item a title that follows the name of the insight, until somebody writes another one there'

/** Faults that any tracker may have, planted from outside, and the check of the suite that catches each. */
export const plantedTrackerFaults: readonly PlantedFault<Tracker>[] = [
  {
    fault: 'creates without a marker that can be found',
    plant: (good) => ({ ...good, find: async () => null }),
    check: CREATES,
  },
  {
    fault: 'leaves the first title',
    plant: (good) => ({
      ...good,
      update: (context, remote, { document, reopen }) => good.update(context, remote, { document, reopen }),
    }),
    check: FOLLOWS,
  },
  {
    fault: 'leaves out the quotes',
    plant: (good) => ({
      ...good,
      create: (context, request) => good.create(context, { ...request, document: { ...request.document, quotes: [] } }),
    }),
    check: CREATES,
  },
  {
    fault: 'creates again when the outcome is unknown',
    plant: (good) => ({
      ...good,
      create: (context, request) =>
        good
          .create(context, request)
          .catch(() => good.create(context, { ...request, document: documentOf(randomUUID()) })),
    }),
    check: 'finds the item whose creation ended with malformed',
  },
  {
    fault: 'creates an item for every update',
    plant: (good) => ({
      ...good,
      update: (context, _, request) => good.create(context, { ...request, document: documentOf(randomUUID()) }),
    }),
    check: 'shows 20 updates in its text or in one comment, also when it forgot which',
  },
  {
    fault: 'creates a deleted item again',
    plant: (good) => ({
      ...good,
      update: (context, remote, request) =>
        good
          .update(context, remote, request)
          .catch(() => good.create(context, { ...request, document: documentOf(randomUUID()) })),
    }),
    check: 'reports an item that is no longer there on update: delete',
  },
  {
    fault: 'takes an outage for a deleted item',
    plant: (good) => ({
      ...good,
      update: (context, remote, request) =>
        good.update(context, remote, request).catch(() => {
          throw new ItemGone('The item no longer exists')
        }),
    }),
    check: 'on 500 update fails as one of the four kinds',
  },
  {
    fault: 'always reopens',
    plant: (good) => ({
      ...good,
      update: (context, remote, request) => good.update(context, remote, { ...request, reopen: true }),
    }),
    check: 'updates a closed item, and reopens it only when asked to',
  },
  {
    fault: 'takes every item for open',
    plant: (good) => ({
      ...good,
      readStatus: async (context, remotes) =>
        (await good.readStatus(context, remotes)).map((status) => ({ ...status, state: 'open' })),
    }),
    check: 'reads back what was closed, reopened and deleted',
  },
  {
    fault: 'reads states one by one',
    plant: (good) => ({
      ...good,
      readStatus: async (context, remotes) =>
        (await Promise.all(remotes.map((remote) => good.readStatus(context, [remote])))).flat(),
    }),
    check: 'reads the states of many items at once',
  },
  {
    fault: 'verifies by creating an item',
    plant: (good) => ({
      ...good,
      verify: async (context) => {
        await good.create(context, { document: documentOf(randomUUID()), reopen: false })
        return await good.verify(context)
      },
    }),
    check: 'verifies without leaving anything behind',
  },
  {
    fault: 'takes a response that it cannot read for no item',
    plant: (good) => ({ ...good, find: (context, marker) => good.find(context, marker).catch(() => null) }),
    check: 'on html find fails as one of the four kinds',
  },
  {
    fault: 'takes revoked credentials for an outage',
    plant: creatingFailsAs((error) =>
      isConnectorFailure(error) && error.kind === 'auth' ? new Unavailable('It is down') : error,
    ),
    check: 'on revoked create fails as one of the four kinds',
  },
  {
    fault: 'ignores a rate limit',
    plant: trackingIn((context) => overHttp(context, sendsAgain(0))),
    check: 'on 429 create fails as one of the four kinds',
  },
  {
    fault: 'shows a secret in a message',
    plant: creatingFailsAs((_, { secrets }) => new Unavailable(`It failed with ${Object.values(secrets).join()}`)),
    check: 'on 500 create fails as one of the four kinds',
  },
  {
    fault: 'logs what customers wrote',
    plant: (good) => ({
      ...good,
      create: (context, request) => {
        context.log.info({ title: request.document.title }, 'creates an item')
        return good.create(context, request)
      },
    }),
    check: 'writes no secret and no customer text into its log',
  },
  {
    fault: 'logs the headers that it sends',
    plant: trackingIn((context) => overHttp(context, loggingHeaders(context))),
    check: 'writes no secret and no customer text into its log',
  },
  { fault: 'ignores the signal', plant: trackingIn(unending), check: 'stops when the signal is aborted' },
]
