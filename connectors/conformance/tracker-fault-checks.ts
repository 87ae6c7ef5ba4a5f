import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Context, Http } from '../connector.ts'
import { ConnectorFailure, ItemGone } from '../kit/errors.ts'
import { watchWrites } from '../kit/http/watch-writes.ts'
import type { TrackerFault } from '../kit/sample.ts'
import { failureFrom } from '../kit/testing.ts'
import { withProviderMessage } from '../kit/text/provider-message.ts'
import type { RemoteItem, Tracker } from '../tracker.ts'
import type { Check } from './check.ts'
import { create, documentOf, expectClean, expectNoLeak, start, stored, type TrackerSubject } from './tracker-run.ts'

const FAULTS: readonly [TrackerFault, string[]][] = [
  ['429', ['rate-limited']],
  ['500', ['unavailable']],
  ['html', ['unavailable', 'rejected']],
  ['revoked', ['auth']],
]

const CALLS = ['find', 'create', 'update', 'readStatus', 'verify'] as const

/** Every call of a tracker, each with an item that exists. */
const callsOf = (tracker: Tracker, context: Context, remote: RemoteItem, marker: string) => ({
  find: () => tracker.find(context, marker),
  create: () => tracker.create(context, { document: documentOf(randomUUID()), reopen: false }),
  update: () => tracker.update(context, remote, { document: documentOf(marker), reopen: false }),
  readStatus: () => tracker.readStatus(context, [remote]),
  verify: () => tracker.verify(context),
})

const failsOn = (
  fault: TrackerFault,
  kinds: readonly string[],
  name: (typeof CALLS)[number],
): Check<TrackerSubject> => ({
  name: `on ${fault} ${name} fails as one of the four kinds`,
  run: async (subject) => {
    await using run = await start(subject)
    const marker = randomUUID()
    const remote = stored(await create(subject, run.context, marker))
    run.standIn.fault(fault)
    const error = await failureFrom(callsOf(subject.tracker, run.context, remote, marker)[name]())
    expect(error).toBeInstanceOf(ConnectorFailure)
    expect(error).not.toBeInstanceOf(ItemGone)
    const failure = error as ConnectorFailure
    expect(kinds).toContain(failure.kind)
    expect(failure.retryAfter ?? 0).toBeGreaterThanOrEqual(fault === '429' ? 1 : 0)
    expect(failure.retryAfter ?? 0).toBeLessThanOrEqual(3600)
    expect(run.made()).toHaveLength(1)
    expect(withProviderMessage(failure.message, failure.ledger?.answer)).not.toMatch(/[{}<>]/)
    expectNoLeak(run, failure)
  },
})

/** Otherwise the core would have to search for an item before it creates one with the renewed sign-in. */
const isCertainlyRefused: Check<TrackerSubject> = {
  name: 'creates nothing where the sign-in is over, and the responses leave no doubt about it',
  run: async (subject) => {
    await using run = await start(subject)
    run.standIn.fault('revoked')
    const watched = watchWrites(run.context.http)
    const error = await failureFrom(create(subject, { ...run.context, http: watched.http }, randomUUID()))
    expect(error).toMatchObject({ kind: 'auth' })
    expect(watched.nothingWritten()).toBe(true)
    expect(run.made()).toEqual([])
  },
}

const NO_COMMENTS = {
  status: 403,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    message: 'No permission',
    errorMessages: ['No permission'],
    errors: [{ message: 'No permission', extensions: { code: 'FORBIDDEN' } }],
  }),
  truncated: false,
  durationMs: 1,
}

/** Answers every request that writes a comment, by REST or GraphQL, with a refusal. */
const withoutComments = (http: Http): Http => ({
  async request(asked) {
    const isComment =
      /comments?(?:\/\d+|\/[\w-]+)?(?:\?|$)/.test(asked.url) || /\bcomment(?:Create|Update)\(/.test(String(asked.body))
    return asked.method !== 'GET' && isComment ? NO_COMMENTS : http.request(asked)
  },
})

const goesOnWithoutComment: Check<TrackerSubject> = {
  name: 'updates a closed item without its comment where the provider refuses that, and says so',
  run: async (subject) => {
    const { tracker } = subject
    await using run = await start(subject)
    const marker = randomUUID()
    const remote = stored(await create(subject, run.context, marker))
    run.standIn.close(remote.id)
    const context = { ...run.context, http: withoutComments(run.context.http) }
    const document = documentOf(marker, { counts: { mentions: 97, people: 7 } })
    const updated = await tracker.update(context, remote, { document, reopen: false })
    expect(updated.notice).toMatch(/^The item is up to date, but without its comment\. ./)
    expect(run.made()[0]?.text).toContain('97')
    expect(run.made()[0]?.comments).toEqual([])
    expectClean(run, updated.notice ?? '')
    expect((await tracker.update(run.context, updated, { document, reopen: false })).notice ?? null).toBeNull()
    expect(run.made()[0]?.comments).toHaveLength(1)
  },
}

/** What each call of a tracker does when its provider fails. */
export const trackerFaultChecks: readonly Check<TrackerSubject>[] = [
  ...FAULTS.flatMap(([fault, kinds]) => CALLS.map((name) => failsOn(fault, kinds, name))),
  isCertainlyRefused,
  goesOnWithoutComment,
]
