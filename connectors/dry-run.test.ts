import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { tracker as azure } from './azure/testing.ts'
import { tracker as azureItems } from './azure/tracker.ts'
import { tracker as clickup } from './clickup/testing.ts'
import { tracker as clickupTasks } from './clickup/tracker.ts'
import type { Context, HttpRequest } from './connector.ts'
import { tracker as github } from './github/testing.ts'
import { tracker as githubIssues } from './github/tracker.ts'
import { tracker as jira } from './jira/testing.ts'
import { tracker as jiraIssues } from './jira/tracker.ts'
import { dryRun } from './kit/http/dry-run.ts'
import { createHttp } from './kit/http/http.ts'
import type { TrackerStandIn } from './kit/sample.ts'
import { documentFor, testContext } from './kit/testing.ts'
import { tracker as linear } from './linear/testing.ts'
import { tracker as linearIssues } from './linear/tracker.ts'

const TRACKERS = [
  { id: 'azure', sample: azure, tracker: azureItems },
  { id: 'clickup', sample: clickup, tracker: clickupTasks },
  { id: 'github', sample: github, tracker: githubIssues },
  { id: 'jira', sample: jira, tracker: jiraIssues },
  { id: 'linear', sample: linear, tracker: linearIssues },
]

/** A context whose writes are also recorded as they are sent. */
function contextFor({ baseUrl, settings, secrets }: TrackerStandIn): { context: Context; sent: HttpRequest[] } {
  const http = createHttp({ guard: null, maxBytes: 1024 * 1024, timeoutMs: 10_000 })
  const sent: HttpRequest[] = []
  const context = testContext({
    baseUrl,
    settings,
    secrets,
    http: {
      request: (request) => {
        if (request.method !== 'GET') sent.push(request)
        return http.request(request)
      },
    },
    now: () => new Date('2026-03-02T10:00:00Z'),
  })
  return { context, sent }
}

const QUOTES = [
  { text: 'It stops at 90%', author: 'Dana', at: new Date('2026-03-01T09:00:00Z'), source: 'Slack', link: null },
]
const documentOf = (marker: string) => documentFor(marker, { quotes: QUOTES })

const bytes = ({ method, url, body }: Pick<HttpRequest, 'method' | 'url' | 'body'>) => ({ method, url, body })

describe.each(TRACKERS)('a dry run of $id', ({ sample, tracker }) => {
  const replyTo = (request: Parameters<NonNullable<NonNullable<typeof tracker.dryRun>['replyTo']>>[0]) =>
    tracker.dryRun?.replyTo?.(request) ?? null

  it('has the bytes of creating an item, and the stand-in gets reads only', async () => {
    await using standIn = await sample()
    const { context, sent } = contextFor(standIn)
    const document = documentOf(randomUUID())
    const before = { items: standIn.items().length, requests: standIn.requests().length }
    const run = await dryRun(context, (dry) => tracker.create(dry, { document, reopen: false }), replyTo)
    expect(sent).toEqual([])
    expect(standIn.items()).toHaveLength(before.items)
    expect(
      standIn
        .requests()
        .slice(before.requests)
        .every(({ method }) => method === 'GET'),
    ).toBe(true)
    await tracker.create(context, { document, reopen: false })
    expect(run.requests.length).toBeGreaterThan(0)
    expect(run.requests.map(bytes)).toEqual(sent.map(bytes))
  })

  it('shows the title, the text and the marker of the item', async () => {
    await using standIn = await sample()
    const { context } = contextFor(standIn)
    const document = documentOf(randomUUID())
    const run = await dryRun(context, (dry) => tracker.create(dry, { document, reopen: false }), replyTo)
    const [shown] = run.requests.flatMap((request) => tracker.dryRun?.shown(request) ?? [])
    expect(shown).toMatchObject({ title: document.title, text: expect.stringContaining('It stops at 90%') })
    expect(shown?.text).toContain(document.marker)
  })

  it('changes nothing of an item that exists, and has the bytes of the first change', async () => {
    await using standIn = await sample()
    const { context, sent } = contextFor(standIn)
    const document = documentOf(randomUUID())
    const remote = await tracker.create(context, { document, reopen: false })
    const changed = { ...document, summary: 'Exports of any size end without a message.' }
    const before = standIn.items()
    sent.length = 0
    const run = await dryRun(
      context,
      (dry) => tracker.update(dry, remote, { document: changed, reopen: false }),
      replyTo,
    )
    expect(standIn.items()).toEqual(before)
    expect(sent.filter(({ body }) => !String(body).startsWith('{"query":"query ')).map(bytes)).toEqual([])
    sent.length = 0
    await tracker.update(context, remote, { document: changed, reopen: false })
    const [first] = run.requests
    expect(first && sent.map(bytes)).toContainEqual(first && bytes(first))
  })
})
