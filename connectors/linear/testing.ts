import { randomUUID } from 'node:crypto'
import { documentFor, stopping } from '../kit/testing.ts'
import { subscribed as subscribedTo } from '../kit/worlds/events.ts'
import { trackerWorld } from '../kit/worlds/tracker.ts'
import { officialSchema } from '../sandbox/linear/description.ts'
import { type LinearOptions, type LinearSandbox, startLinear } from '../sandbox/linear/linear.ts'
import { receive } from './receive.ts'
import { subscriptions } from './subscriptions.ts'
import { tracker as issues } from './tracker.ts'

export const SECRET = 'a signing secret'

/** A sandbox that stops automatically at the end of a test. */
export const openLinear = async (options: LinearOptions = {}) => stopping(await startLinear(options))

const world = trackerWorld(issues, {
  // The first team is chosen.
  settings({ workspace }: LinearSandbox) {
    const { id, name } = workspace.organization
    return { name, organization_id: id, team: [workspace.team(0).id] }
  },
  secrets: ({ signIns }: LinearSandbox) => ({ api_key: signIns.apiKey }),
})
export const { contextFor } = world

/** Where the official schema is present, the sandbox answers by it. */
export const tracker = world.sample(
  () => startLinear({ schema: officialSchema }),
  (sandbox) => ({
    items: () =>
      sandbox.workspace.issues
        .filter(({ trashed, visible }) => visible && !trashed)
        .map(({ id, state, title, description, comments }) => ({
          id,
          open: !['completed', 'canceled', 'duplicate'].includes(state.type),
          text: `${title}\n${description}`,
          comments: comments.map(({ body }) => body),
        })),
    lagSearch: (on) => sandbox.workspace.lag(on),
    retitle: (id, title) => {
      const issue = sandbox.workspace.issues.find((one) => one.id === id)
      if (issue) issue.title = title
    },
    close: (id) => sandbox.setState(id, 'completed'),
    decline: (id) => sandbox.setState(id, 'canceled'),
    reopen: (id) => sandbox.setState(id, 'started'),
    delete: (id) => sandbox.trash(id),
    move: (id) => sandbox.hide(id),
  }),
)

/** A sandbox with a subscribed address, at which requests are received as the core does. */
export async function subscribed() {
  const linear = await openLinear()
  const run = { ...linear, context: contextFor(linear) }
  const create = () => issues.create(run.context, { document: documentFor(randomUUID()), reopen: false })
  return { ...(await subscribedTo(run, { subscriptions, secret: SECRET, receive })), create }
}

/** The names of the operations that were sent. */
export const operations = (calls: readonly { query: string }[]) =>
  calls.map(({ query }) => /^(?:query|mutation) (\w+)/.exec(query)?.[1])

/** A sandbox with a context, and an insight to push to it. */
export async function opened(settings: Record<string, unknown> = {}) {
  const linear = await openLinear()
  return world.insightIn(linear, contextFor(linear, { settings }))
}
