import type { Connector, Context, FeedbackItem, Page } from '../connector.ts'
import { isConnectorFailure, Rejected, Unavailable } from '../kit/errors.ts'
import { loggingHeaders, overHttp, type PlantedFault, sendsAgain, unending } from './planting.ts'
import { pullOf } from './source-run.ts'

type Pages = AsyncGenerator<Page<unknown>>

/** A connector with changed pages. */
const pulling =
  (change: (pages: Pages, context: Context) => Pages) =>
  (good: Connector): Connector => ({
    ...good,
    pull: (context, cursor) => change(pullOf(good, context, cursor), context),
  })

/** A connector that pulls in a changed context. */
export const pullingIn =
  (change: (context: Context) => Context) =>
  (good: Connector): Connector => ({ ...good, pull: (context, cursor) => pullOf(good, change(context), cursor) })

/** A connector with changed items on its pages. */
export const itemsAs = (change: (items: FeedbackItem[]) => FeedbackItem[]) =>
  pulling(async function* (pages) {
    for await (const page of pages) yield { ...page, items: change(page.items) }
  })

const failingAs = (change: (error: Error, context: Context) => Error) =>
  pulling(async function* (pages, context) {
    try {
      yield* pages
    } catch (error) {
      throw change(error as Error, context)
    }
  })

const isOfKind = (error: unknown, kind: string) => isConnectorFailure(error) && error.kind === kind

const PULLS = 'every item once, in short pages'
const LOG = 'without a secret or customer text in its log'

/** Faults that any source may have, planted from outside, and the check of the suite that catches each. */
export const plantedSourceFaults: readonly PlantedFault<Connector>[] = [
  {
    fault: 'drops the last page',
    plant: pulling(async function* (pages) {
      const all: Page<unknown>[] = []
      for await (const page of pages) all.push(page)
      const last = all.findLastIndex(({ items }) => items.length > 0)
      yield* all.toSpliced(last, 1)
    }),
    check: PULLS,
  },
  {
    fault: 'repeats the last item of a page on the next',
    plant: pulling(async function* (pages) {
      let last: FeedbackItem[] = []
      for await (const page of pages) {
        yield { ...page, items: [...last, ...page.items] }
        last = page.items.slice(-1)
      }
    }),
    check: PULLS,
  },
  {
    fault: 'advances the cursor before a page is stored',
    plant: pulling(async function* (pages) {
      let held: Page<unknown> | null = null
      for await (const page of pages) {
        if (held) yield { ...held, cursor: page.cursor }
        held = page
      }
      if (held) yield held
    }),
    check: 'from every cursor, after a round trip through a database',
  },
  {
    fault: 'ignores the stored cursor',
    plant: (good) => ({ ...good, pull: (context) => pullOf(good, context, null) }),
    check: 'only new items the next time',
  },
  {
    fault: 'makes ids of the time of the sync',
    plant: itemsAs((items) => items.map((item) => ({ ...item, externalId: `${item.externalId}-${Date.now()}` }))),
    check: PULLS,
  },
  {
    fault: 'takes an outage for the end of the list',
    plant: pulling(async function* (pages) {
      try {
        yield* pages
      } catch (error) {
        if (!isOfKind(error, 'unavailable')) throw error
      }
    }),
    check: 'and reports 500 as unavailable, without a secret or customer text',
  },
  {
    fault: 'takes revoked credentials for an outage',
    plant: failingAs((error) => (isOfKind(error, 'auth') ? new Unavailable('It is down') : error)),
    check: 'and reports revoked as auth, without a secret or customer text',
  },
  {
    fault: 'ignores a rate limit',
    plant: pullingIn((context) => overHttp(context, sendsAgain(0))),
    check: 'and reports 429-bare as rate-limited, without a secret or customer text',
  },
  {
    fault: 'sleeps on a rate limit',
    plant: pullingIn((context) => overHttp(context, sendsAgain(50))),
    check: 'and waits as long as the provider asks',
  },
  {
    fault: 'shows a secret in a message',
    plant: failingAs((error, { secrets }) => new Unavailable(`${error.message} (${Object.values(secrets).join()})`)),
    check: 'and reports 500 as unavailable, without a secret or customer text',
  },
  {
    fault: 'logs what customers wrote',
    plant: pulling(async function* (pages, { log }) {
      for await (const page of pages) {
        log.info({ first: page.items[0]?.text }, 'read a page')
        yield page
      }
    }),
    check: LOG,
  },
  {
    fault: 'logs the headers that it sends',
    plant: pullingIn((context) => overHttp(context, loggingHeaders(context))),
    check: LOG,
  },
  { fault: 'ignores the signal', plant: pullingIn(unending), check: 'and stops when the signal is aborted' },
  {
    fault: 'takes an agent for a customer',
    plant: itemsAs((items) => items.map((item) => ({ ...item, role: 'customer' }))),
    check: 'with the words of agents as context only',
  },
  {
    fault: 'leaves out deletions',
    plant: pulling(async function* (pages) {
      for await (const page of pages) yield { ...page, deleted: [], deletedThreads: [], complete: [] }
    }),
    check: 'and removes what was deleted at the provider without an event, even when it is interrupted',
  },
  {
    fault: 'does not verify the signature of an event',
    plant: (good) => ({ ...good, ...(good.receive ? { receive: unverified(good.receive) } : {}) }),
    check: 'and accepts an event only as it was signed',
  },
  {
    fault: 'gives the item of an event another id',
    plant: ({ handleEvent, ...good }) => ({
      ...good,
      ...(handleEvent
        ? {
            handleEvent: async (context, payload) => {
              const outcome = await handleEvent(context, payload)
              return {
                ...outcome,
                items: outcome.items.map((item) => ({ ...item, externalId: `e-${item.externalId}` })),
              }
            },
          }
        : {}),
    }),
    check: 'and makes of an event the item that a sync makes',
  },
]

/** Answers a forged request as the one that was accepted before. */
function unverified(receive: NonNullable<Connector['receive']>): NonNullable<Connector['receive']> {
  let accepted: ReturnType<typeof receive> | undefined
  return (...given) => {
    try {
      accepted = receive(...given)
      return accepted
    } catch (error) {
      if (accepted && error instanceof Rejected) return accepted
      throw error
    }
  }
}
