import { randomUUID } from 'node:crypto'
import type { TrackerSample } from '../kit/sample.ts'
import {
  documentFor,
  type GivenContext,
  insightFor,
  startEventReceiver,
  stopping,
  testContext,
} from '../kit/testing.ts'
import { officialSchema } from '../sandbox/linear/description.ts'
import { type LinearOptions, type LinearSandbox, startLinear } from '../sandbox/linear/linear.ts'
import { receive } from './receive.ts'
import { subscriptions } from './subscriptions.ts'
import { tracker as issues } from './tracker.ts'

export const SECRET = 'a signing secret'

/** A sandbox that stops automatically at the end of a test. */
export const openLinear = async (options: LinearOptions = {}) => stopping(await startLinear(options))

/** A context that is connected by API key, with the first team chosen. */
export const contextFor = (sandbox: LinearSandbox, given: GivenContext = {}) =>
  testContext({
    baseUrl: sandbox.url,
    secrets: { api_key: sandbox.signIns.apiKey },
    ...given,
    settings: { ...settingsFor(sandbox), ...given.settings },
  })

function settingsFor({ workspace }: LinearSandbox): Record<string, unknown> {
  const { id, name } = workspace.organization
  return { name, organization_id: id, team: [workspace.team(0).id] }
}

/** Where the official schema is present, the sandbox answers by it. */
export const tracker: TrackerSample = async () => {
  const sandbox = await startLinear({ schema: officialSchema })
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
    retitle: (id, title) => {
      const issue = workspace.issues.find((one) => one.id === id)
      if (issue) issue.title = title
    },
    close: (id) => sandbox.setState(id, 'completed'),
    decline: (id) => sandbox.setState(id, 'canceled'),
    reopen: (id) => sandbox.setState(id, 'started'),
    delete: (id) => sandbox.trash(id),
    move: (id) => sandbox.hide(id),
    [Symbol.asyncDispose]: () => sandbox.stop(),
  }
}

/** A sandbox with a subscribed address, at which requests are received as the core does. */
export async function subscribed() {
  const linear = await openLinear()
  const context = contextFor(linear)
  const receiver = await startEventReceiver((request) => receive({ webhook_secret: SECRET }, request, new Date()))
  const ensure = (previous: Record<string, unknown> | null = null) =>
    subscriptions.ensure(context, { url: receiver.url, secret: SECRET, previous })
  const { state, secrets } = await ensure()
  const create = () => issues.create(context, { document: documentFor(randomUUID()), reopen: false })
  return {
    ...linear,
    context,
    received: receiver.received,
    refused: receiver.refused,
    state,
    secrets,
    ensure,
    create,
    async [Symbol.asyncDispose]() {
      await linear.stop()
      await receiver[Symbol.asyncDispose]()
    },
  }
}

/** The names of the operations that were sent. */
export const operations = (calls: readonly { query: string }[]) =>
  calls.map(({ query }) => /^(?:query|mutation) (\w+)/.exec(query)?.[1])

/** A sandbox with a context, and an insight to push to it. */
export async function opened(settings: Record<string, unknown> = {}) {
  const linear = await openLinear()
  const context = contextFor(linear, { settings })
  return { ...linear, context, ...insightFor(issues, context) }
}
