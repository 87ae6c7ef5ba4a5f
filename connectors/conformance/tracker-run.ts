import { expect } from 'vitest'
import type { Connector, Context } from '../connector.ts'
import type { InsightDocument } from '../kit/documents/insight-document.ts'
import type { ConnectorFailure } from '../kit/errors.ts'
import { createHttp } from '../kit/http/http.ts'
import type { TrackerSample } from '../kit/sample.ts'
import { documentFor, testContext } from '../kit/testing.ts'
import type { RemoteItem, Tracker } from '../tracker.ts'
import { recordingCredentials } from './recording-credentials.ts'

/** A connector that keeps items in a tracker, and the stand-in of its `testing.ts`. */
export type TrackerSubject = { connector: Connector; tracker: Tracker; open: TrackerSample }

const MAX_REPLY_BYTES = 1024 * 1024
const QUOTES = [
  {
    text: 'customer words about the export',
    author: 'Ann Author',
    at: new Date('2026-03-01T11:00:00Z'),
    source: 'Support desk',
    link: 'https://desk.example.com/tickets/5',
  },
]
/** What must not be in a message or a log. */
const WORDS = ['customer words', 'Ann Author', 'Export stops', 'Large exports']

/** The document of an insight, with this marker. */
export const documentOf = (marker: string, given: Partial<InsightDocument> = {}) =>
  documentFor(marker, { quotes: QUOTES, ...given })

/** What a database returns of a stored item. */
export const stored = (remote: RemoteItem): RemoteItem => JSON.parse(JSON.stringify(remote)) as RemoteItem

/** Starts the stand-in, with a context as the core makes it. `made` are the items that were created since. */
export async function start({ open }: TrackerSubject, timeoutMs = 5000) {
  const standIn = await open()
  const { http, credentials } = recordingCredentials(createHttp({ guard: null, maxBytes: MAX_REPLY_BYTES, timeoutMs }))
  const context = testContext({
    baseUrl: standIn.baseUrl,
    settings: structuredClone(standIn.settings),
    secrets: { ...standIn.secrets },
    http,
  })
  const before = standIn.items().length
  return {
    standIn,
    context,
    log: context.log,
    /** What must not be shown or stored. */
    secrets: () => [...Object.values(standIn.secrets), ...credentials],
    made: () => standIn.items().slice(before),
    [Symbol.asyncDispose]: () => standIn[Symbol.asyncDispose](),
  }
}

/** Creates an item; `given` replaces parts of its document. */
export const create = (
  { tracker }: TrackerSubject,
  context: Context,
  marker: string,
  given: Partial<InsightDocument> = {},
) => tracker.create(context, { document: documentOf(marker, given), reopen: false })

type Run = Awaited<ReturnType<typeof start>>

/** No secret in anything that is shown or stored, and no customer text in messages and logs. */
export function expectNoLeak(run: Run, failure: ConnectorFailure): void {
  expectClean(run, [failure.message, failure.stack, ...run.log.lines].join('\n'))
  for (const secret of run.secrets()) expect(JSON.stringify(failure.ledger ?? null)).not.toContain(secret)
}

/** Neither screens nor logs contain a secret or customer text. */
export function expectClean(run: Run, shown: string): void {
  for (const word of [...run.secrets(), ...WORDS]) expect(shown).not.toContain(word)
}
