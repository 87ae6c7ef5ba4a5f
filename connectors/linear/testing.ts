import type { Context } from '../connector.ts'
import { createCache } from '../kit/cache.ts'
import { createHttp } from '../kit/http.ts'
import type { InsightDocument } from '../kit/insight-document.ts'
import type { TrackerSample } from '../kit/sample.ts'
import { recordingLog } from '../kit/testing.ts'
import { type LinearOptions, type LinearSandbox, startLinear } from '../sandbox/linear/linear.ts'

/** A sandbox that stops automatically at the end of a test. */
export async function openLinear(options: LinearOptions = {}): Promise<LinearSandbox & AsyncDisposable> {
  const sandbox = await startLinear(options)
  return { ...sandbox, [Symbol.asyncDispose]: () => sandbox.stop() }
}

type Given = { settings?: Record<string, unknown>; secrets?: Record<string, string>; now?: () => Date }

/** A context that is connected by API key, with the first team chosen. */
export function contextFor(
  sandbox: LinearSandbox,
  given: Given = {},
): Context & { log: ReturnType<typeof recordingLog> } {
  return {
    settings: { ...settingsFor(sandbox), ...given.settings },
    secrets: given.secrets ?? { api_key: sandbox.signIns.apiKey },
    http: createHttp({ guard: null, maxBytes: 1024 * 1024, timeoutMs: 10_000 }),
    log: recordingLog(),
    signal: new AbortController().signal,
    now: given.now ?? (() => new Date()),
    cache: createCache(),
    baseUrl: sandbox.url,
  }
}

function settingsFor({ workspace }: LinearSandbox): Record<string, unknown> {
  const { id, name } = workspace.organization
  return { name, organization_id: id, team: [workspace.team(0).id] }
}

export const tracker: TrackerSample = async () => {
  const sandbox = await startLinear()
  const { workspace } = sandbox
  return {
    baseUrl: sandbox.url,
    settings: settingsFor(sandbox),
    secrets: { api_key: sandbox.signIns.apiKey },
    items: () =>
      workspace.issues
        .filter(({ trashed, visible }) => visible && !trashed)
        .map(({ id, state, title, description, comments }) => ({
          id,
          open: !['completed', 'canceled', 'duplicate'].includes(state.type),
          text: `${title}\n${description}`,
          comments: comments.map(({ body }) => body),
        })),
    requests: () => sandbox.calls,
    fault: (kind) => (kind === 'revoked' ? sandbox.signIns.end() : sandbox.faults.arm(kind)),
    lagSearch: (on) => workspace.lag(on),
    close: (id) => sandbox.setState(id, 'completed'),
    reopen: (id) => sandbox.setState(id, 'started'),
    delete: (id) => sandbox.trash(id),
    move: (id) => sandbox.hide(id),
    [Symbol.asyncDispose]: () => sandbox.stop(),
  }
}

/** An insight's document with customer text in it. */
export function documentFor(marker: string, given: Partial<InsightDocument> = {}): InsightDocument {
  return {
    title: 'Export stops halfway',
    summary: 'Large exports end without a message.',
    counts: { mentions: 3, people: 2 },
    tags: [{ name: 'Area', value: 'Reports' }],
    quotes: [],
    link: 'https://feedback.example.com/insights?issue=7',
    updated: new Date('2026-03-02T10:00:00Z'),
    ...given,
    marker,
  }
}
