import { describe, expect, it } from 'vitest'
import { templateSource } from './_template-source/index.ts'
import { source } from './_template-source/testing.ts'
import { catches, caughtBy, named, overHttp, readsHtmlAs, sendsAgain, unending } from './conformance/planting.ts'
import { sourceChecks } from './conformance/source-checks.ts'
import type { SourceSubject } from './conformance/source-run.ts'
import type { Connector, Context, EventOutcome, FeedbackItem, Page } from './connector.ts'
import { isConnectorFailure, Unavailable } from './kit/errors.ts'

type Pages = AsyncGenerator<Page<unknown>>
const pullOf = (context: Context, cursor: unknown): Pages => {
  if (!templateSource.pull) throw new Error('The template does not pull')
  return templateSource.pull(context, cursor)
}
const handled = async (context: Context, payload: Record<string, unknown>): Promise<EventOutcome> => {
  if (!templateSource.handleEvent) throw new Error('The template handles no events')
  return await templateSource.handleEvent(context, payload)
}
/** The template with changed pages, or in a changed context. */
const pulling = (change: (pages: Pages, context: Context) => Pages): Connector => ({
  ...templateSource,
  pull: (context, cursor) => change(pullOf(context, cursor), context),
})
const pullingIn = (change: (context: Context) => Context): Connector => ({
  ...templateSource,
  pull: (context, cursor) => pullOf(change(context), cursor),
})
const itemsAs = (change: (items: FeedbackItem[]) => FeedbackItem[]) =>
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

/** Faulty variants of the source template, and the check that catches each. */
const sources: [fault: string, connector: Connector, check: string][] = [
  [
    'drops the last page',
    pulling(async function* (pages) {
      let held: Page<unknown> | null = null
      for await (const page of pages) {
        if (held) yield held
        held = page
      }
    }),
    'every item once, in short pages',
  ],
  [
    'repeats the last item of a page on the next',
    pulling(async function* (pages) {
      let last: FeedbackItem[] = []
      for await (const page of pages) {
        yield { ...page, items: [...last, ...page.items] }
        last = page.items.slice(-1)
      }
    }),
    'every item once, in short pages',
  ],
  [
    'advances the cursor before a page is stored',
    pulling(async function* (pages) {
      let held: Page<unknown> | null = null
      for await (const page of pages) {
        if (held) yield { ...held, cursor: page.cursor }
        held = page
      }
      if (held) yield held
    }),
    'from every cursor, after a round trip through a database',
  ],
  [
    'ignores the stored cursor',
    { ...templateSource, pull: (context) => pullOf(context, null) },
    'only new items the next time',
  ],
  [
    'takes an agent for a customer',
    itemsAs((items) => items.map((item) => ({ ...item, role: 'customer' }))),
    'with the words of agents as context only',
  ],
  [
    'leaves out edited messages',
    itemsAs((items) => items.filter(({ version }) => version === undefined)),
    'what was edited, with the time of the edit as its version',
  ],
  [
    'gives versions in milliseconds',
    itemsAs((items) => items.map((item) => ({ ...item, ...(item.version ? { version: item.version / 1000 } : {}) }))),
    'what was edited, with the time of the edit as its version',
  ],
  [
    'leaves out deletions',
    pulling(async function* (pages) {
      for await (const page of pages) yield { ...page, deleted: [] }
    }),
    'and removes what was deleted at the provider without an event, even when it is interrupted',
  ],
  [
    'shows the token in a message',
    failingAs((error, { secrets }) => new Unavailable(`${error.message} (${secrets.token})`)),
    'and reports 500 as unavailable, without a secret or customer text',
  ],
  [
    'logs what customers wrote',
    pulling(async function* (pages, { log }) {
      for await (const page of pages) {
        log.info({ first: page.items[0]?.text }, 'read a page')
        yield page
      }
    }),
    'without a secret or customer text in its log',
  ],
  [
    'logs a response that it cannot parse',
    pullingIn((context) =>
      overHttp(context, (send) => async (request) => {
        const response = await send(request)
        if (response.body.includes('"id":17')) context.log.warn({ body: response.body }, 'not as documented')
        return response
      }),
    ),
    'and reports wrong-types as unavailable, without a secret or customer text',
  ],
  [
    'ignores a 429',
    pullingIn((context) => overHttp(context, sendsAgain(0))),
    'and reports 429-bare as rate-limited, without a secret or customer text',
  ],
  [
    'sleeps on a 429',
    pullingIn((context) => overHttp(context, sendsAgain(50))),
    'and waits as long as the provider asks',
  ],
  [
    'reads an HTML page as an empty list',
    pullingIn((context) => overHttp(context, readsHtmlAs({ messages: [], next: 'end', has_more: false }))),
    'and reports html as unavailable, without a secret or customer text',
  ],
  [
    'takes revoked credentials for an outage',
    failingAs((error) => (isConnectorFailure(error) && error.kind === 'auth' ? new Unavailable('It is down') : error)),
    'and reports revoked as auth, without a secret or customer text',
  ],
  [
    'does not verify the signature of an event',
    {
      ...templateSource,
      receive: (_, { body }) => ({
        reply: { status: 200, type: 'text/plain', body: '' },
        events: [
          { id: 'e1', account: 'a', payload: JSON.parse(Buffer.from(body).toString()) as Record<string, unknown> },
        ],
      }),
    },
    'and accepts an event only as it was signed',
  ],
  [
    'gives the item of an event another id',
    {
      ...templateSource,
      handleEvent: async (context, payload) => {
        const outcome = await handled(context, payload)
        return { ...outcome, items: outcome.items.map((item) => ({ ...item, externalId: `e-${item.externalId}` })) }
      },
    },
    'and makes of an event the item that a sync makes',
  ],
  ['ignores the signal', pullingIn(unending), 'and stops when the signal is aborted'],
]

const withoutAuthor = (items: FeedbackItem[]) => items.map((item) => ({ ...item, author: null }))

/** Faults that no check of a source sees: the connector's own tests have to. */
const unseenSources: [fault: string, connector: Connector][] = [
  ['reads inboxes that were not chosen', pullingIn((context) => ({ ...context, settings: {} }))],
  [
    'leaves out the author',
    {
      ...itemsAs(withoutAuthor),
      handleEvent: async (context, payload) => {
        const outcome = await handled(context, payload)
        return { ...outcome, items: withoutAuthor(outcome.items) }
      },
    },
  ],
  [
    'returns the old tokens from a refresh',
    { ...templateSource, refresh: async ({ secrets }) => ({ secrets, expiresAt: null }) },
  ],
]

const ofSource = (connector: Connector): SourceSubject => ({ connector, open: source })

describe('a source that', () => {
  it.each(sources)('%s is caught', async (_, connector, name) => {
    const check = named(sourceChecks, name)
    expect(await catches(check, ofSource(templateSource))).toBe(false)
    expect(await catches(check, ofSource(connector))).toBe(true)
  })

  it.each(unseenSources)('%s is not caught', async (_, connector) => {
    expect(await caughtBy(sourceChecks, ofSource(connector))).toEqual([])
  })
})
