import type { TrackerSample } from '../kit/sample.ts'
import { type GivenContext, insightFor, startEventReceiver, stopping, testContext } from '../kit/testing.ts'
import { type ClickUpSandbox, startClickUp } from '../sandbox/clickup/clickup.ts'
import { receive } from './receive.ts'
import { subscriptions } from './subscriptions.ts'
import { isClosed } from './task.ts'
import { tracker as tasks } from './tracker.ts'

/** A sandbox that stops automatically at the end of a test. */
export const openClickUp = async () => stopping(await startClickUp())

/** A context that is connected by an API token, with the first list chosen. */
export const contextFor = (sandbox: ClickUpSandbox, given: GivenContext = {}) =>
  testContext({
    baseUrl: sandbox.url,
    secrets: { token: sandbox.signIns.apiToken },
    ...given,
    settings: { ...settingsFor(sandbox), ...given.settings },
  })

function settingsFor({ account }: ClickUpSandbox): Record<string, unknown> {
  return {
    name: 'Fernweh',
    workspace: [account.team(0).id],
    space: [account.space.id],
    folder: [],
    list: [account.list.id],
  }
}

export const tracker: TrackerSample = async () => {
  const sandbox = await startClickUp()
  const { account } = sandbox
  return {
    baseUrl: sandbox.url,
    settings: settingsFor(sandbox),
    secrets: { token: sandbox.signIns.apiToken },
    items: () =>
      account.tasks
        .filter(({ deleted, visible }) => visible && !deleted)
        .map(({ id, status, name, markdown, tags, comments }) => ({
          id,
          open: !isClosed(status),
          text: [name, markdown, ...tags].join('\n'),
          comments: comments.map(({ text }) => text),
        })),
    requests: () => sandbox.calls,
    fault: (kind) => (kind === 'revoked' ? sandbox.signIns.end() : sandbox.faults.arm(kind)),
    lagSearch: (on) => account.lag(on),
    retitle: (id, title) => {
      const task = account.tasks.find((one) => one.id === id)
      if (task) task.name = title
    },
    close: (id) => sandbox.setStatus(id, 'closed'),
    decline: (id) => sandbox.decline(id),
    reopen: (id) => sandbox.setStatus(id, 'custom'),
    delete: (id) => sandbox.remove(id),
    move: (id) => sandbox.move(id),
    [Symbol.asyncDispose]: () => sandbox.stop(),
  }
}

/** A sandbox with a context, and an insight to push to it. */
export async function opened(settings: Record<string, unknown> = {}) {
  const clickup = await openClickUp()
  const context = contextFor(clickup, { settings })
  return { ...clickup, context, ...insightFor(tasks, context) }
}

/** A sandbox with a subscribed address, at which requests are received as the core does. */
export async function subscribed() {
  const run = await opened()
  let secrets: Record<string, string> = {}
  const receiver = await startEventReceiver((request) => receive(secrets, request, new Date()))
  const ensure = async (previous: Record<string, unknown> | null = null) => {
    const made = await subscriptions.ensure(run.context, {
      url: receiver.url,
      secret: 'unused',
      previous,
    })
    secrets = made.secrets ?? secrets
    return made
  }
  const { state } = await ensure()
  return {
    ...run,
    received: receiver.received,
    refused: receiver.refused,
    state,
    ensure,
    secrets: () => secrets,
    async [Symbol.asyncDispose]() {
      await run.stop()
      await receiver[Symbol.asyncDispose]()
    },
  }
}

/** The requests that were sent, each as its method and path in the description. */
export const requests = (calls: ClickUpSandbox['calls']) => calls.map(({ method, template }) => `${method} ${template}`)
